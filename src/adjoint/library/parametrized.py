"""Calls over the bridge to PyTorch, in either direction: functions that use parameters beside their inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self


class ParametrizedCall:
    """A call of a flat function of tensors, which returns a list of them.

    Attributes:
        found: the parameters that the function was seen to use, by their ids.
        parameters: those that stand among the inputs, at their end; versions: those that they had then.
    """

    def __init__(self, flat: Callable[..., list[Any]], name: str, found: dict[int, Any] | None = None) -> None:
        self.flat = flat
        self.name = name
        self.found: dict[int, Any] = {} if found is None else found
        self.parameters: list[Any] = []
        self.versions: list[int] = []
        self.recorded = False
        self._kept: Any = None  # inputs and outputs of the last run

    def with_parameters(self, parameters: list[Any]) -> Self:
        """The same call with parameters among its inputs; what has been computed is not computed again."""
        call = type(self)(self.flat, self.name, self.found)
        call.parameters = parameters
        call.versions = [parameter._version for parameter in parameters]
        call._kept = self._kept
        return call

    def check_parameters(self) -> None:
        """The function is run again: with the values that it had, or not at all."""
        for parameter, version in zip(self.parameters, self.versions):
            if parameter._version != version:
                raise RuntimeError(
                    f"{self.name} is to be differentiated again, but a parameter of shape {tuple(parameter.shape)} "
                    f"that it used has been written to since: it is at version {parameter._version}; expected version "
                    f"{version}. Write to parameters, by an optimizer's step for instance, after the last pass."
                )


def varies(tensor: Any) -> bool:
    """Whether a tensor of either library can have a gradient."""
    return tensor.is_floating_point() or tensor.is_complex()


def of_some(flat: Any, tensors: Sequence[Any], places: Sequence[int], kept: Any) -> Callable[..., tuple[Any, ...]]:
    """The function of some of its arguments, the others being fixed; `kept` chooses among its outputs."""

    def chosen(*some: Any) -> tuple[Any, ...]:
        given = list(tensors)
        for place, tensor in zip(places, some):
            given[place] = tensor
        return tuple([output for i, output in enumerate(flat(*given)) if kept(i, output)])

    return chosen
