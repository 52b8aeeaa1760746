"""Linear algebra: PyTorch's `torch.linalg`."""

from adjoint._dispatch.errors import LinAlgError as LinAlgError
from adjoint._dispatch.table import fill_section as _fill_section

_fill_section(globals(), "linalg_", also="matmul")
