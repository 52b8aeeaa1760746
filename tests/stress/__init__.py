"""The cases of the stress table: each test's docstring names the case and what is asserted."""

from pathlib import Path

import pytest

needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is measured as Linux tells it")
