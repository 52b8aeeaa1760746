"""`Function`: custom operations with user-defined derivatives.

A Function is never instantiated. `apply` runs its `forward` with recording off and attaches the outputs to a node that
calls `backward` when gradients arrive. The parts: ctx (`context.py`), the node (`node.py`), declared and derived rules
(`rules.py`), outputs (`outputs.py`), transforms (`levels.py`, `vmap.py`).
"""

from __future__ import annotations

import inspect
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from adjoint._core import modes
from adjoint._core.forward.tangents import tangents_of
from adjoint._core.function.context import BackwardCFunction, FunctionCtx
from adjoint._core.function.levels import call_below, call_forward
from adjoint._core.function.node import FunctionNode
from adjoint._core.function.once import once_differentiable
from adjoint._core.function.outputs import FunctionCall, check_saved
from adjoint._core.function.rules import has_jvp, level_of, no_backward, no_jvp, tensors_in
from adjoint._core.function.vmap import call_mapped
from adjoint._core.graph import Edge, next_order
from adjoint._core.modes import GENERAL, PLAIN, RECORD, SPECIAL, current_mode
from adjoint._core.saved.saved import copy_if_external, save_output
from adjoint._core.signature import signature_of
from adjoint._core.tensor import LAZY, Tensor, resolve_edge
from adjoint.arrays.batched import BatchedArray

if TYPE_CHECKING:
    from adjoint._typing import Apply

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "once_differentiable",
]

_new = object.__new__
_CONTAINERS = frozenset((list, tuple, dict))


class _NodeClass:
    """Descriptor for the class of a Function's nodes."""

    def __get__(self, instance: Any, owner: Any) -> type[FunctionNode]:
        return owner._classes()[1]


def _typed_like_forward(apply: Callable[..., Any]) -> Apply:
    return cast("Apply", classmethod(apply))


class Function(FunctionCtx):
    """Custom operation with user-defined derivatives. Subclass it, and call ``apply`` of the subclass.

    `forward` computes the outputs, with recording off. Either it takes a ctx first, ``forward(ctx, *args)``, and saves
    there what the derivative needs; or it does not, ``forward(*args)``, and `setup_context` does so afterwards.
    `backward` (`vjp` is the same) is the rule for reverse mode, `jvp` that for forward mode; one of them is enough if
    it is written with differentiable operators. Only tensors that are arguments themselves are differentiated, not
    those inside lists or other objects.

    Attributes:
        linear: declares forward linear in its floating point arguments together. If it is written with
            differentiable operators, no rule is needed.
        generate_vmap_rule: `vmap` runs forward and the rules on batched tensors, never per sample.
        clear_saved_tensors_on_access: release ``ctx.saved_tensors`` when they are first read.
        boxed_grads_call: backward takes the gradients as one list, from which it may remove them.

    Example:
        >>> class Cube(ad.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x**3
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         (x,) = ctx.saved_tensors
        ...         return 3 * x**2 * grad
        >>> x = ad.tensor([2.0], requires_grad=True)
        >>> Cube.apply(x).backward()
        >>> x.grad
        tensor([12.])
    """

    linear: bool = False
    generate_vmap_rule: bool = False
    clear_saved_tensors_on_access: bool = False
    boxed_grads_call: bool = False

    is_version: bool = False  # made by `vmap` from another Function, whose rules it calls
    context_base: type[BackwardCFunction] = BackwardCFunction  # base class of its contexts

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self).__name__} is an autograd Function: its methods are static, so an object of it is of no use. "
            f"Call {type(self).__name__}.apply(...).",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise: a Function is called by `apply`."""
        name = type(self).__name__
        raise RuntimeError(
            f"{name} is called the old way, as an object. Make its forward and backward static methods that take ctx "
            f"as their first argument, and call {name}.apply(...)."
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; to be overridden, as ``forward(ctx, *args)`` or ``forward(*args)``."""
        raise NotImplementedError("an autograd Function has to define forward")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save in ctx what the rules need, if forward does not take a ctx; to be overridden.

        Args:
            ctx: the context, see `FunctionCtx`.
            inputs: the arguments of forward.
            output: the output of forward.
        """
        raise NotImplementedError("this autograd Function does not define setup_context")

    backward = staticmethod(no_backward)
    vjp = staticmethod(no_backward)
    jvp = staticmethod(no_jvp)

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        """Compute a batch under `vmap`; to be overridden if forward cannot run on batched tensors.

        Args:
            info: ``info.batch_size`` and ``info.randomness``.
            in_dims: for each argument, the index of its batch dimension; None if it is not batched.
            args: the arguments with their batch dimensions.

        Returns:
            ``(output, out_dims)``.
        """
        raise NotImplementedError("this autograd Function does not define vmap")

    @classmethod
    def has_setup_context(cls) -> bool:
        """Test whether forward takes no ctx and `setup_context` is defined."""
        return cls.setup_context is not Function.setup_context

    @classmethod
    def plain_base(cls) -> type[Function]:
        """Return the base class of derived versions of this Function: `Function` itself."""
        return Function

    @classmethod
    def has_vmap(cls) -> bool:
        """Test whether it defines its own vmap rule."""
        own = cls.vmap is not Function.vmap
        if own and cls.generate_vmap_rule:
            raise RuntimeError(
                f"{cls.__name__} defines vmap and sets generate_vmap_rule as well; it is not clear which of them shall "
                "count. Do one of the two."
            )
        return own

    _backward_cls = _NodeClass()

    @classmethod
    def _classes(cls) -> tuple[Any, Any]:
        """Return the classes of this Function's contexts and nodes, made at the first call."""
        made = cls.__dict__.get("_made_classes")
        if made is None:
            name = cls.__name__ + "Backward"
            common = {"__module__": "adjoint._core.function"}
            ctx = type(name, (cls.context_base,), common | {"_forward_cls": cls})
            node = type(name, (FunctionNode,), common | {"__slots__": (), "function": cls})
            made = cls._made_classes = (ctx, node)
        return made

    @classmethod
    def _call(
        cls, values: tuple[Any, ...], names: tuple[str, ...] = (), needs: Sequence[bool] | None = None
    ) -> FunctionCall:
        """Call the Function with tensors of any level; see Note [Functions and levels].

        Args:
            values: all arguments; the last ones are keyword arguments with the given names.
            needs: for each argument whether a level above needs its gradient.
        """
        level = level_of(values)
        dual = bool(SPECIAL) and not has_jvp(cls)  # then tangents are derived from backward, which needs gradients
        own = [isinstance(v, Tensor) and (v._edge is not None or (dual and bool(tangents_of(v)))) for v in values]
        wanted = own if needs is None else [one or other for one, other in zip(own, needs)]
        if not level:
            return call_forward(cls, values, names, wanted)
        is_mapped = any(t._spec.level == level and type(t._array) is BatchedArray for t in tensors_in(values))
        return (call_mapped if is_mapped else call_below)(cls, values, names, wanted, level)

    @_typed_like_forward
    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        """Call the Function: run its forward and record it.

        Args:
            args, kwargs: the arguments of forward. Tensors among them are differentiated, others are passed through.
        """
        state = modes.state()
        forward, setup_context = cls.forward, cls.setup_context
        separate = setup_context is not _no_setup_context
        recording = True
        if SPECIAL:
            if current_mode() == GENERAL:
                return _apply_general(cls, args, kwargs)
            recording = state.grad_enabled
        if kwargs or modes.thread.factory_level or (separate and _needs_binding(forward, args)):
            return _apply_general(cls, args, kwargs)
        edges: list[Edge | None] = []
        needs: list[bool] = []
        recorded = False
        for arg in args:
            if isinstance(arg, Tensor):
                if not arg._spec.own.plain:
                    return _apply_general(cls, args, kwargs)
                edge = arg._edge
                if edge is None:
                    needs.append(False)
                else:
                    needs.append(True)
                    recorded = recording
                    if edge is LAZY and recording:
                        edge = resolve_edge(arg)
                edges.append(edge)
            elif type(arg) in _CONTAINERS and level_of(arg):
                return _apply_general(cls, args, kwargs)
            else:
                needs.append(False)
        context, node_class = cls.__dict__.get("_made_classes") or cls._classes()
        ctx = _new(context)
        ctx.needs_input_grad = tuple(needs)
        try:
            if recording:
                state.grad_enabled = False
                state.mode = PLAIN
                SPECIAL.add(state.token)
            if separate:
                output = forward(*args)
                setup_context(ctx, args, output)
            else:
                output = forward(ctx, *args)
        except TypeError as error:
            _explain_missing_setup(cls, args, error)
            raise
        finally:
            if recording:
                if modes.state() is not state:
                    modes.reinstate(state)
                state.grad_enabled = True
                state.mode = RECORD
                SPECIAL.discard(state.token)
        if not _is_simple(cls, ctx, args, output):
            return FunctionCall(cls, ctx, args, tuple(edges) if recorded else None, output).finish()
        if not recorded:
            return output
        return _record(cls, node_class, ctx, args, edges, output)


_no_setup_context = Function.setup_context


def _record(
    cls: Any, node_class: Any, ctx: Any, args: Sequence[Any], edges: list[Edge | None], output: Tensor
) -> Tensor:
    """Attach a single new output to a node."""
    node = _new(node_class)
    node.edges = tuple(edges)
    node.spec = output._spec
    node.extras = node.shown = None
    node.order = next_order()
    node.count = len(args)
    node.places = None if len(edges) == len(args) else _tensor_positions(args)
    node.ctx = ctx
    ctx._node = weakref.ref(node)
    output._edge = node
    to_save = ctx.to_save
    if to_save is None:
        node.saved = ()
    else:
        del ctx.to_save  # it may hold the output, which holds the node
        node.saved = tuple(
            [copy_if_external(save_output(output)) if one is output else _pack_saved(cls, one) for one in to_save]
        )
    return output


def _pack_saved(cls: Any, one: Any) -> Any:
    """Pack a saved tensor that is not the node's output; external memory is copied."""
    if isinstance(one, Tensor) and not one._spec.external and not one._spec.inference:
        return one
    return copy_if_external(check_saved(cls, one))


def _is_simple(cls: Any, ctx: Any, args: Sequence[Any], output: Any) -> bool:
    """Test whether forward returned one new tensor and marked nothing: then the fast path applies."""
    if type(output) is not Tensor or not output._spec.own.fast or output._edge is not None or output._meta is not None:
        return False
    if ctx.dirty_tensors is not None or ctx.non_differentiable is not None or ctx.saved_for_forward is not None:
        return False
    for arg in args:
        if arg is output:
            return False
    return cls.backward is not no_backward


def _explain_missing_setup(cls: type[Function], args: Sequence[Any], error: TypeError) -> None:
    """Add a hint to the error of a forward without ctx if there is no setup_context."""
    code = getattr(cls.forward, "__code__", None)
    takes_ctx = code is None or code.co_argcount != len(args) or code.co_flags & inspect.CO_VARARGS
    if not takes_ctx and not cls.has_setup_context():
        error.add_note(
            f"{cls.__name__}.forward gets a ctx as its first argument: forward(ctx, ...). To write it without, give "
            f"{cls.__name__} a static method setup_context(ctx, inputs, output)."
        )


def _tensor_positions(args: Sequence[Any]) -> list[int]:
    return [place for place, arg in enumerate(args) if isinstance(arg, Tensor)]


def _apply_general(cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a Function in any mode and with any arguments (the slow path of `apply`)."""
    if cls.has_setup_context():
        args, kwargs = _bind_defaults(cls.forward, args, kwargs)
    return cls._call((*args, *kwargs.values()), tuple(kwargs)).result


def _needs_binding(forward: Callable[..., Any], args: Sequence[Any]) -> bool:
    """Test whether arguments have to be bound to forward's signature: defaults or keyword-only parameters."""
    code = getattr(forward, "__code__", None)
    if code is None or code.co_kwonlyargcount:
        return True
    if code.co_flags & inspect.CO_VARARGS:
        return len(args) < code.co_argcount
    return code.co_argcount != len(args)


def _bind_defaults(
    forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Fill in default arguments of forward, for `setup_context`."""
    if not kwargs and not _needs_binding(forward, args):
        return args, kwargs
    bound = signature_of(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.args, bound.kwargs


FunctionMeta = type(Function)
