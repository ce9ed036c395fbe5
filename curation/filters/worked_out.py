"""Attributes of a row that are worked out when a rule first asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class WorkedOut(Generic[Value]):
    """Makes a method an attribute whose value is kept.

    `functools.cached_property` does the same, but takes a lock in Python 3.11, at several times the cost.
    """

    def __init__(self, work_out: Callable[[Any], Value]) -> None:
        self._work_out = work_out
        self._name = work_out.__name__
        self.__doc__ = work_out.__doc__

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        value = instance.__dict__[self._name] = self._work_out(instance)
        return value
