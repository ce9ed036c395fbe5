"""The calls that turn a child of the warden into the program of an order, held by everything that confines it."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from dataclasses import dataclass

from . import kernel, landlock, watch
from .launch import Calls, Launcher
from .orders import Order

_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)
_DEFAULT_SIGNAL = 0
_UMASK = 0o022
_ALL_USERS = 0xFFFF_FFFF
_LAST_DESCRIPTOR = 0xFFFF_FFFF


@dataclass(frozen=True)
class Confinement:
    """What holds every program of this warden.

    Attributes:
        own_processes: the warden is process 1 of a process namespace, so that it can kill all other processes.
        own_mounts: the warden can mount a new file system for each run.
        uid: the user that programs run as; None keeps the warden's own.
        seccomp: the filter; None for none.
        landlock: the descriptor of Landlock's rules; None where Landlock is not used.
        box: the directory that holds the run's directories, and where its file system is mounted.
    """

    own_processes: bool
    own_mounts: bool
    uid: int | None
    seccomp: kernel.Filter | None
    landlock: int | None
    box: str


class Starter:
    """Starts the programs of orders in one confinement."""

    def __init__(self, confinement: Confinement, launcher: Launcher) -> None:
        self.confinement = confinement
        self.launcher = launcher
        # The kernel counts all processes of a user; without a user or namespace of its own a program has siblings.
        shared = confinement.uid is None and not confinement.own_processes
        self._counts_siblings = shared and not _is_the_machines_root()
        self._last: tuple[object, ...] = ()
        self._calls = Calls()

    def start(self, order: Order, streams: list[int], work: str) -> tuple[int, float]:
        """Start the program; return its process and the CPU seconds that went by before its own first instruction.

        Raises:
            OSError: it cannot be started.
        """
        siblings = watch.tasks_of_user(os.getuid()) if self._counts_siblings else 0
        # The tests of one submission differ in what they read only.
        wanted = (order, streams, work, siblings)
        if wanted != self._last:
            self._calls = self._program(order, streams, work, siblings)
            self._last = wanted
        try:
            program = self.launcher.start(self._calls)
        except OSError as error:
            reason = (error.strerror or "").removeprefix("execve: ")
            raise OSError(error.errno, f"{order.command[0]} cannot be started: {reason}") from None
        return program, self.launcher.used_s

    def _program(self, order: Order, streams: list[int], work: str, siblings: int) -> Calls:
        held = self.confinement
        calls = Calls()
        calls.add("setsid")
        calls.add("chdir", ctypes.create_string_buffer(os.fsencode(work)))
        for number, descriptor in enumerate(streams):
            calls.add("dup2", descriptor, number)
        # Whatever the warden has open closes itself; this is the net below.
        calls.add(
            "syscall", kernel.CLOSE_RANGE, len(streams), _LAST_DESCRIPTOR, kernel.CLOSE_ON_EXECUTION, may_fail=True
        )
        calls.add("umask", _UMASK)
        for number in _IGNORED_BY_PYTHON:
            calls.add("signal", number, _DEFAULT_SIGNAL)
        if held.own_mounts:
            calls.add("unshare", kernel.NEW_IPC)
        for kind, value in _limits(order, siblings):
            calls.add("setrlimit", kind, (ctypes.c_ulong * 2)(value, value))
        if held.uid is not None:
            calls.add("setgroups", 0, 0)
            calls.add("setresgid", held.uid, held.uid, held.uid)
            calls.add("setresuid", held.uid, held.uid, held.uid)
        calls.add("capset", (ctypes.c_uint32 * 2)(kernel.CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)())
        calls.add("prctl", kernel.SET_NO_NEW_PRIVILEGES, 1)
        calls.add("prctl", kernel.SET_DEATH_SIGNAL, signal.SIGKILL)
        if held.landlock is not None:
            calls.add("syscall", landlock.RESTRICT_SELF, held.landlock, 0)
        if held.seccomp is not None:
            calls.add("prctl", kernel.SET_SECCOMP, kernel.SECCOMP_FILTER, held.seccomp.program)
        self.launcher.take_time(calls)
        environment = {**order.environment, "HOME": work, "TMPDIR": f"{held.box}/tmp"}  # noqa: S108 -- in the box
        _execute(calls, order.command, environment)
        return calls


def _is_the_machines_root() -> bool:
    """Tell whether we are the user whose processes the kernel does not bound: root, and of no user namespace."""
    with open("/proc/self/uid_map") as file:
        return os.getuid() == 0 and file.read().split() == ["0", "0", str(_ALL_USERS)]


def kill_user(launcher: Launcher, uid: int) -> None:
    """Kill all processes of a user that runs nothing else, at one stroke."""
    calls = Calls()
    calls.add("setresuid", uid, uid, uid)
    calls.add("kill", -1, signal.SIGKILL, may_fail=True)
    calls.add("_exit", 0)
    os.waitpid(launcher.start(calls), 0)


def _execute(calls: Calls, command: tuple[str, ...], environment: dict[str, str]) -> None:
    arguments = [os.fsencode(part) for part in command]
    variables = [os.fsencode(f"{name}={value}") for name, value in environment.items()]
    listed = [(ctypes.c_char_p * (len(texts) + 1))(*texts, None) for texts in (arguments, variables)]
    name = command[0]
    places = [""] if "/" in name else [f"{place}/" for place in environment.get("PATH", os.defpath).split(":")]
    for place in places:
        calls.add("execve", ctypes.create_string_buffer(os.fsencode(place + name)), *listed, may_fail=True)


def _limits(order: Order, siblings: int) -> list[tuple[int, int]]:
    unlimited = resource.RLIM_INFINITY
    space = unlimited if order.address_space_bytes is None else order.address_space_bytes
    wanted = (
        # The watcher sees the tree's CPU time; this is the net below it, in whole seconds of one process.
        (resource.RLIMIT_CPU, int(order.cpu_s) + 2),
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_STACK, unlimited),
        (resource.RLIMIT_FSIZE, order.file_bytes),
        (resource.RLIMIT_NPROC, order.processes + siblings),
        (resource.RLIMIT_NOFILE, 128),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 65536),
        (resource.RLIMIT_MSGQUEUE, 0),
    )
    found = []
    for kind, value in wanted:
        _, ceiling = resource.getrlimit(kind)
        if ceiling != unlimited:
            value = ceiling if value == unlimited else min(value, ceiling)
        found.append((kind, value))
    return found
