"""Named generators with parameters, chosen by texts such as `geometric:delayed=0.03,p=0.4`.

A menu collects functions. The parameters of an entry are the function's keyword-only arguments with
a default, whose type says how to read the text; lists are separated by spaces.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from pbverify.errors import InputError
from pbverify.numerics import parse_exact

_LARGEST = 2**62  # parameters end up in 64-bit integers and doubles


class Menu:
    """Functions by name; `kind` is how messages call the choice."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Callable[..., Any]] = {}

    def entry(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: offer the function under its name, with dashes."""
        self._entries[function.__name__.replace("_", "-")] = function
        return function

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def build(self, text: str, **context: object) -> Any:
        """Call the entry that the text names, with its parameters and the given context."""
        name, _, parameters = text.partition(":")
        if name not in self._entries:
            raise InputError(f"one of {', '.join(self._entries)}", self.kind, name)
        function = self._entries[name]
        accepted = inspect.signature(function, eval_str=True).parameters
        wanted = {key: value for key, value in context.items() if key in accepted}
        return function(**wanted, **self._read(name, function, parameters))

    def describe(self) -> str:
        """Two lines per entry: how to write it, and the first line of its docstring."""
        return "\n".join(
            f"  {_usage(name, function)}\n      {_summary(function)}"
            for name, function in self._entries.items()
        )

    def _read(self, name: str, function: Callable[..., Any], text: str) -> dict[str, object]:
        options = _options(function)
        read: dict[str, object] = {}
        for part in filter(None, text.split(",")):
            key, _, value = part.partition("=")
            if key not in options:
                expected = f"a parameter of {name} among ({', '.join(options)})"
                raise InputError(expected, self.kind, part)
            if key in read:
                raise InputError(f"each parameter of {name} once", self.kind, part)
            read[key] = _convert(value, options[key].annotation, f"{self.kind} {name}.{key}")
        return read


def _options(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(function, eval_str=True).parameters
    return {k: p for k, p in parameters.items() if p.default is not inspect.Parameter.empty}


def _usage(name: str, function: Callable[..., Any]) -> str:
    settings = [f"{key}={_shown(p.default)}" for key, p in _options(function).items()]
    return f"{name}:{','.join(settings)}" if settings else name


def _shown(default: object) -> str:
    return "..." if isinstance(default, tuple) else str(default)


def _summary(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")


def _convert(text: str, annotation: object, field: str) -> object:
    if annotation == tuple[Fraction, ...]:
        return tuple(_number(part, field) for part in text.split())
    if annotation == tuple[int, ...]:
        return tuple(_whole(part, field) for part in text.split())
    if annotation is int:
        return _whole(text, field)
    number = _number(text, field)
    return number if annotation is Fraction else float(number)


def _number(text: str, field: str) -> Fraction:
    number = parse_exact(text)
    if number is None:
        raise InputError("a number", field, text)
    if abs(number) >= _LARGEST:
        raise InputError("a number below 2^62 in size", field, text)
    return number


def _whole(text: str, field: str) -> int:
    number = _number(text, field)
    if number.denominator != 1:
        raise InputError("an integer", field, text)
    return int(number)


def require(condition: object, expected: str, field: str, value: object) -> None:
    """Raise an `InputError` unless a condition on a parameter holds."""
    if not condition:
        raise InputError(expected, field, value)
