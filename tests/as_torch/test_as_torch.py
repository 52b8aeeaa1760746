"""adjoint in PyTorch's place: imports, versions, stand-ins, what is missing, and how it is undone."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

PROGRAMS = {
    "the same objects": """
        import adjoint as ad, adjoint.as_torch
        import torch, torch.nn as nn, torch.nn.functional as F
        from torch import Tensor, optim
        from torch.autograd import Function, Variable, grad
        from torch.optim.adamw import AdamW
        from torch.utils.checkpoint import checkpoint
        from torch.nn.modules.linear import Linear
        from torch._vmap_internals import _vmap
        assert Tensor is ad.Tensor and nn is ad.nn and torch.nn.functional is ad.nn.functional is F
        assert AdamW is ad.optim.AdamW is optim.AdamW and torch.relu is ad.relu and Linear is nn.Linear
        assert torch.float32 is ad.float32 and isinstance(torch.ones(2), torch.Tensor)
        assert ad.nn.__name__ == "adjoint.nn" and ad.nn.__spec__.name == "adjoint.nn"
    """,
    "versions": """
        import adjoint.as_torch, torch
        assert torch.__version__ >= "1.13" and torch.__version__ > "2.9" and torch.__version__ < (3, 0)
        assert torch.__version__.split(".")[0] == "2" and torch.version.cuda is None
    """,
    "no device but the CPU": """
        import adjoint.as_torch, torch
        assert not torch.cuda.is_available() and torch.cuda.device_count() == 0
        assert not torch.backends.mps.is_available() and not torch.distributed.is_available()
        assert not isinstance(torch.ones(1), torch.cuda.FloatTensor)
        torch.cuda.manual_seed_all(0); torch.backends.cudnn.benchmark = True
    """,
    "compilers change nothing": """
        import adjoint.as_torch, torch
        @torch.jit.script
        def f(x):
            return x + 1
        @torch.compile(dynamic=True)
        def g(x):
            return f(x)
        assert g(torch.ones(1)).item() == 2 and not torch.jit.is_scripting() and not torch.compiler.is_compiling()
    """,
    "what is missing": """
        import adjoint.as_torch, torch
        assert not hasattr(torch, "no_such_name") and not hasattr(torch.cuda, "no_such_name")
        names = lambda: torch.no_such_name, lambda: torch.cuda.graph_pool_handle, lambda: torch.hub.load("a", "b")
        for call in names:
            try:
                call()
            except NotImplementedError as error:
                assert "torch." in str(error)
            else:
                raise AssertionError
        try:
            import torch.fx
        except ImportError as error:
            assert isinstance(error, NotImplementedError) and "torch.fx" in str(error)
    """,
    "lists of tensors": """
        import adjoint.as_torch, torch
        a = [torch.ones(2), torch.ones(3)]
        torch._foreach_add_(a, 1)
        torch._foreach_mul_(a, [2.0, 3.0])
        assert a[0].tolist() == [4, 4] and a[1].tolist() == [6, 6, 6]
        assert torch._foreach_neg(a)[0].tolist() == [-4, -4]
    """,
    "only by its import": """
        import sys, inspect, adjoint as ad
        inspect.getmembers(ad)
        assert "adjoint.as_torch" not in sys.modules and "as_torch" not in dir(ad) and not hasattr(ad, "as_torch")
        import adjoint.as_torch
        assert ad.as_torch.installed
    """,
    "undone": """
        import sys
        from adjoint import as_torch
        as_torch.uninstall()
        assert "torch" not in sys.modules
        with as_torch.installed() as torch:
            import torch.nn
            assert torch.ones(1).item() == 1 and "torch.nn" in sys.modules
        assert "torch" not in sys.modules and "torch.nn" not in sys.modules
    """,
    "refused": """
        import sys, types
        sys.modules["torch"] = types.ModuleType("torch")
        try:
            import adjoint.as_torch
        except RuntimeError as error:
            assert "imported already" in str(error)
        else:
            raise AssertionError
    """,
    "a training loop": """
        import adjoint.as_torch, torch
        from torch import nn
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
        optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
        x = torch.linspace(-1, 1, 32).unsqueeze(1)
        for _ in range(150):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(x), torch.sin(3 * x))
            loss.backward()
            optimizer.step()
        assert loss.item() < 0.02, loss
    """,
}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True)


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_program(name: str) -> None:
    done = python("-W", "error", "-c", textwrap.dedent(PROGRAMS[name]))
    assert done.returncode == 0, done.stderr


def test_a_program_is_run_from_the_command_line(tmp_path) -> None:
    (tmp_path / "helper.py").write_text("import torch\nvalue = torch.ones(2)\n")
    program = tmp_path / "program.py"
    program.write_text("import sys, helper\nprint(type(helper.value).__module__, __name__, sys.argv[1:])\n")
    done = python("-m", "adjoint.as_torch", str(program), "--flag", "1")
    assert done.stdout == "adjoint._core.tensor __main__ ['--flag', '1']\n", done.stderr
    done = python("-m", "adjoint.as_torch")
    assert done.returncode and "usage" in done.stderr
