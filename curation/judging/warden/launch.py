"""Starting a process by a list of calls to the C library that a child makes, the last of which executes a program.

Where the judge has compiled ``launch.c`` the child is one of ``vfork`` and borrows the warden's memory. A child of
``fork`` copies the page tables, and then every page that Python's reference counts touch: more than all else in a short
run. Without a compiler Python makes the same calls in such a child.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable, Sequence

from . import kernel

_MOST_ARGUMENTS = 6
_NOT_STARTED = 127


class _Call(ctypes.Structure):
    _fields_ = (
        ("function", ctypes.c_void_p),
        ("arguments", ctypes.c_long * _MOST_ARGUMENTS),
        ("may_fail", ctypes.c_long),
    )


class _Report(ctypes.Structure):
    """What the child says: whether it got past the last call, which call failed last and why, a time if it took one."""

    _fields_ = (
        ("failed", ctypes.c_int),
        ("call", ctypes.c_int),
        ("error", ctypes.c_int),
        ("seconds", ctypes.c_long),
        ("nanoseconds", ctypes.c_long),
    )


_Function = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_long] * _MOST_ARGUMENTS, use_errno=True)


class Calls:
    """A list of calls, in the order in which they are made. It can be used again and again."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._calls: list[_Call] = []
        self._kept: list[object] = []
        self._array: ctypes.Array[_Call] | None = None

    def add(self, name: str, *arguments: object, may_fail: bool = False) -> None:
        """Add a call of a function of the C library, which fails when it returns a negative number.

        Args:
            name: the function.
            arguments: numbers, or what ctypes knows the address of; that is kept as long as the list.
            may_fail: the next call is made all the same.
        """
        call = _Call(function=ctypes.cast(getattr(kernel.libc, name), ctypes.c_void_p), may_fail=may_fail)
        for index, given in enumerate(arguments):
            call.arguments[index] = given if isinstance(given, int) else ctypes.addressof(given)  # type: ignore[arg-type]
        self.names.append(name)
        self._calls.append(call)
        self._kept.extend(given for given in arguments if not isinstance(given, int))
        self._array = None

    def array(self) -> ctypes.Array[_Call]:
        """Return the calls one after the other in memory."""
        if self._array is None:
            self._array = (_Call * len(self._calls))(*self._calls)
        return self._array


class Launcher:
    """Starts processes, one at a time.

    Args:
        library: the compiled ``launch.c``; empty for none. One that cannot be loaded is as good as none.
    """

    def __init__(self, library: str) -> None:
        # Shared, because the child of a fork has no other memory in common with us.
        self._report = _Report.from_buffer(mmap.mmap(-1, ctypes.sizeof(_Report)))
        self._launch = _load(library)

    def take_time(self, calls: Calls) -> None:
        """Add a call that notes the CPU time the child has used so far, for `used_s`."""
        place = ctypes.addressof(self._report) + _Report.seconds.offset
        calls.add("clock_gettime", kernel.CLOCK_OF_PROCESS, place)

    @property
    def used_s(self) -> float:
        """The CPU seconds that the last child noted."""
        return float(self._report.seconds + self._report.nanoseconds / 1e9)

    def start(self, calls: Calls) -> int:
        """Make the calls in a child and return it when it executes a program; it is there to be waited for.

        Raises:
            OSError: a call failed; the child has ended.
        """
        self._report.failed = 0
        array = calls.array()
        child = self._fork(array) if self._launch is None else self._launch(array, len(array), self._report)
        if child < 0:
            number = ctypes.get_errno()
            raise OSError(number, f"vfork: {os.strerror(number)}")
        if self._report.failed:
            name = calls.names[self._report.call]
            raise OSError(self._report.error, f"{name}: {os.strerror(self._report.error)}")
        return int(child)

    def _fork(self, array: ctypes.Array[_Call]) -> int:
        functions = [_Function(call.function) for call in array]
        # Its end tells that the program runs or the child is gone: whatever is executed does not have it.
        ended_here, ended_there = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self._make(array, functions)
            finally:
                os._exit(_NOT_STARTED)
        os.close(ended_there)
        os.read(ended_here, 1)
        os.close(ended_here)
        return child

    def _make(self, array: ctypes.Array[_Call], functions: Sequence[Callable[..., int]]) -> None:
        for index, (call, function) in enumerate(zip(array, functions, strict=True)):
            if function(*call.arguments) >= 0:
                continue
            self._report.call = index
            self._report.error = ctypes.get_errno()
            if not call.may_fail:
                break
        self._report.failed = 1


def _load(library: str) -> Callable[..., int] | None:
    if not library:
        return None
    try:
        launch = ctypes.CDLL(library, use_errno=True).launch
    except OSError:
        return None
    launch.argtypes = (ctypes.POINTER(_Call), ctypes.c_long, ctypes.POINTER(_Report))
    return launch
