"""Schemas: reading, writing, inferring, and what is wrong with a wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Optional

import pytest

import adjoint as ad
from adjoint import Tensor, library

SCHEMAS = """
f(Tensor x) -> Tensor
ns::f.overload(Tensor x) -> Tensor
f(Tensor x, Tensor? y, Tensor[] zs, Tensor?[] ws, Tensor[]? vs) -> (Tensor, Tensor[])
f(int n, SymInt m=3, float a=1.5, bool b=True, str s="a\\"b", Scalar c=2, complex z=1j) -> int
f(Tensor x, *, ScalarType? dtype=None, Device? device=None, int[2] k=1, float[] w=[1.0, 2.5]) -> Tensor
f(Tensor(a!) x, Tensor(b) y, Tensor(c! -> d|e) z) -> (Tensor(a!), Tensor(b))
f(Tensor(a!)[] xs) -> ()
f(Tensor x) -> ((Tensor))
f(ScalarType d=float64, float a=-1e-05, float b=inf) -> (Tensor first, int second)
""".strip().splitlines()


@pytest.mark.parametrize("text", SCHEMAS)
def test_what_was_read_is_written_as_it_was(text: str) -> None:
    assert str(library.parse_schema(text)) == text


def test_parts_of_a_schema() -> None:
    schema = library.parse_schema("ns::f.o(Tensor(a!) x, int[3]? n=None, *, str s) -> (Tensor(a!) out, bool)")
    x, n, s = schema.arguments
    assert (schema.name, schema.overload_name, schema.is_mutable, schema.mutated) == ("ns::f", "o", True, ("x",))
    assert x.is_mutated and x.alias_info.before_set == {"a"} and not x.has_default_value() and x.default_value is None
    assert n.type.is_list and n.type.size == 3 and n.type.optional and n.default_value is None
    assert s.kwarg_only and schema.positional == (x, n) and schema.keyword_only == (s,)
    assert [one.name for one in schema.returns] == ["out", ""]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("f(Tensr x) -> Tensor", "'Tensr' is not a type"),
        ("f(Tensor x -> Tensor", "expected ','"),
        ("f(Tensor x)", "expected '->'"),
        ("f(Tensor x) -> Tensor Tensor Tensor", "should end here"),
        ("f(Tensor x, int x) -> Tensor", "two arguments are called 'x'"),
        ("f(int a=1, int b) -> Tensor", "'b' has no default"),
        ("f(Tensor x=3) -> Tensor", "default of 'x'"),
        ('f(int a="x") -> Tensor', "default of 'a'"),
        ("f(int a=None) -> Tensor", "default of 'a'"),
        ("f(int a=b) -> Tensor", "'b' is not a default value"),
        ("f(Tensor x, *, *, int a) -> Tensor", "twice"),
        ("f(int(a!) x) -> Tensor", "only tensors have memory"),
        ("f(Tensor x) => Tensor", "'>' means nothing"),
        ("f(Tensor & x) -> Tensor", "'&' means nothing"),
        ("f(float[] w=[1.0, ) -> Tensor", "not a default value"),
        ("", "expected the name"),
        ("f(Tensor x, int n=) -> Tensor", "not a default value"),
    ],
)
def test_wrong_schemas_say_what_and_where(text: str, complaint: str) -> None:
    with pytest.raises(library.SchemaError, match=complaint) as caught:
        library.parse_schema(text)
    assert text in str(caught.value) and "^" in str(caught.value)


def test_a_schema_is_a_string() -> None:
    with pytest.raises(library.SchemaError, match="is a string"):
        library.parse_schema(3)  # type: ignore[arg-type]


def everything(
    x: Tensor,
    y: Tensor | None,
    zs: list[Tensor],
    ws: Sequence[Tensor | None],
    n: int,
    ns: list[int] | None,
    c: complex,
    number: int | float,
    d: Optional[ad.dtype] = None,  # noqa: UP045
    *,
    flag: bool = False,
    device: ad.device = "cpu",
) -> tuple[Tensor, list[Tensor], int]: ...  # type: ignore[empty-body]


def test_annotations_given_as_strings() -> None:
    assert library.infer_schema(everything, mutates_args=(), op_name="f") == (
        "f(Tensor x, Tensor? y, Tensor[] zs, Tensor?[] ws, SymInt n, SymInt[]? ns, complex c, Scalar number, "
        'ScalarType? d=None, *, bool flag=False, Device device="cpu") -> (Tensor, Tensor[], SymInt)'
    )


def test_names_of_annotations_may_come_from_around_the_function() -> None:
    Alias = Tensor

    def f(x: Alias) -> Alias:
        return Alias(x)

    assert library.infer_schema(f, mutates_args=()) == "(Tensor x) -> Tensor"

    import adjoint as local

    def g(x: local.Tensor, d: local.dtype) -> local.Tensor: ...  # type: ignore[empty-body]

    assert library.infer_schema(g, mutates_args=()) == "(Tensor x, ScalarType d) -> Tensor"


def test_mutated_arguments_are_marked() -> None:
    def f(x: Tensor, ys: list[Tensor], z: Tensor) -> None: ...

    assert library.infer_schema(f, mutates_args=("x", "ys")) == "(Tensor(a0!) x, Tensor(a1!)[] ys, Tensor z) -> ()"
    assert library.infer_schema(f, mutates_args="unknown") == "(Tensor(a0!) x, Tensor(a1!)[] ys, Tensor(a2!) z) -> ()"


def _no_annotation(x): ...  # type: ignore[no-untyped-def]
def _no_return(x: Tensor): ...  # type: ignore[no-untyped-def]
def _unknown_type(x: dict[str, Tensor]) -> Tensor: ...  # type: ignore[empty-body]
def _tuple(x: tuple[Tensor, Tensor]) -> Tensor: ...  # type: ignore[empty-body]
def _nested(x: list[list[Tensor]]) -> Tensor: ...  # type: ignore[empty-body]
def _collects(*xs: Tensor) -> Tensor: ...  # type: ignore[empty-body]
def _positional(x: Tensor, /) -> Tensor: ...  # type: ignore[empty-body]
def _unknown_name(x: NoSuchName) -> Tensor: ...  # type: ignore[name-defined]  # noqa: F821
def _default(x: Tensor, f: float = object()) -> Tensor: ...  # type: ignore
def _returns_str(x: Tensor) -> str: ...  # type: ignore[empty-body]
def _returns_any_number(x: Tensor) -> tuple[Tensor, ...]: ...  # type: ignore[empty-body]


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (_no_annotation, "'x' has no type annotation"),
        (_no_return, "return has no type annotation"),
        (_unknown_type, "'x' has the type"),
        (_tuple, "a list in place of a tuple"),
        (_nested, "'x' has the type"),
        (_collects, "collects arguments"),
        (_positional, "positional-only"),
        (_unknown_name, "'NoSuchName' means nothing"),
        (_default, "default of 'f' is a object"),
        (_returns_str, "operators return Tensor"),
        (_returns_any_number, "tuple of any length"),
    ],
)
def test_what_cannot_be_inferred_is_explained(function: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        library.infer_schema(function, mutates_args=())
    assert function.__name__ in str(caught.value) and "test_schema.py:" in str(caught.value)


def test_wrong_mutates_args() -> None:
    def f(x: Tensor, n: int) -> None: ...

    with pytest.raises(ValueError, match="names \\['y'\\]"):
        library.infer_schema(f, mutates_args=("y",))
    with pytest.raises(ValueError, match="only tensors"):
        library.infer_schema(f, mutates_args=("n",))
    with pytest.raises(ValueError, match="'unknown'"):
        library.infer_schema(f, mutates_args="x")


def test_tags_add_what_is_returned() -> None:
    def f_(x: Tensor, y: Tensor) -> Tensor: ...  # type: ignore[empty-body]
    def out(x: Tensor, *, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]: ...  # type: ignore[empty-body]

    assert library.infer_schema(f_, mutates_args=("x",), tags=library.Tag.inplace) == (
        "(Tensor(a0!) x, Tensor y) -> Tensor(a0!)"
    )
    assert library.infer_schema(out, mutates_args=("a", "b"), tags="out") == (
        "(Tensor x, *, Tensor(a1!) a, Tensor(a2!) b) -> (Tensor(a1!), Tensor(a2!))"
    )
    with pytest.raises(ValueError, match="first argument alone"):
        library.infer_schema(f_, mutates_args=("y",), tags="inplace")
    with pytest.raises(ValueError, match="keyword-only tensors"):
        library.infer_schema(f_, mutates_args=("x",), tags="out")
    with pytest.raises(ValueError, match="not both"):
        library.infer_schema(f_, mutates_args=("x",), tags=("out", "inplace"))
    with pytest.raises(ValueError, match="tags are"):
        library.infer_schema(f_, mutates_args=("x",), tags="no_such_tag")
