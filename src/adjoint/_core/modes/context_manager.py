"""Base classes of modes: context managers for `with` and `async with`, and decorators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


class ContextManager:
    """Base of modes: `async with` works like `with`."""

    def __enter__(self) -> Any:
        """Switch the mode on."""
        raise NotImplementedError  # defined by every mode

    def __exit__(self, *exc_info: object) -> None:
        """Switch back to what was before, also after an error."""
        raise NotImplementedError

    async def __aenter__(self) -> Any:
        """Switch the mode on."""
        return self.__enter__()

    async def __aexit__(self, *exc_info: object) -> None:
        """Switch back to what was before, also after an error."""
        self.__exit__(*exc_info)


class Mode(ContextManager):
    """Base of modes that are also decorators of functions, generators and coroutines."""

    def clone(self) -> Mode:
        """Return a new context manager of the same kind, for one call of a decorated function."""
        return self

    def __call__(self, function: F) -> F:
        if inspect.isclass(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the class {function.__name__!r}: it would be unclear whether "
                f"construction or all methods are meant. Decorate the methods, {function.__name__}.__init__ for "
                f"instance."
            )
        if inspect.isasyncgenfunction(function):
            raise TypeError(
                f"{type(self).__name__} cannot decorate the asynchronous generator {function.__name__!r}; use it as a "
                f"context manager inside, between its yields and awaits."
            )
        if inspect.isgeneratorfunction(function):
            return cast(F, self._wrap_generator(function))
        if inspect.iscoroutinefunction(function):
            return cast(F, self._wrap_coroutine(function))

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return cast(F, wrapper)

    def _wrap_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a generator function: the mode is on while its body runs, not while it is suspended."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            generator = function(*args, **kwargs)
            step = functools.partial(next, generator)
            while True:
                try:
                    with self.clone():
                        value = step()
                except StopIteration as stop:
                    return stop.value
                try:
                    sent: Any = yield value  # pyright: ignore[reportUnknownVariableType]
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:
                    step = functools.partial(generator.throw, error)
                else:
                    step = functools.partial(generator.send, sent)

        return wrapper

    def _wrap_coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a coroutine function: the mode is on while its body runs, not while it awaits."""

        class Awaitable:
            def __init__(self, coroutine: Any) -> None:
                self.coroutine = coroutine

            def __await__(self) -> Any:
                return driver(lambda: self.coroutine.__await__())

        def body(make: Callable[[], Any]) -> Any:
            return (yield from make())  # pyright: ignore[reportUnknownVariableType]

        driver = self._wrap_generator(body)

        @functools.wraps(function)
        async def wrapper(*args: Any, **kwargs: Any) -> Any:
            return await Awaitable(function(*args, **kwargs))

        return wrapper
