"""The warden's loop: take an order, run it in a cell, watch it, report how it ended."""

from __future__ import annotations

import functools
import json
import os
import resource
import select
import signal
import socket
import time
from dataclasses import astuple, dataclass, replace

from . import cell, filters, kernel, landlock, root, watch
from .orders import MESSAGE_BYTES, READY, Order, Outcome, receive_order, send

_FIRST_LOOK_S = 0.004
_SLOWEST_LOOK_S = 0.02
_JUDGE_GONE = "judge gone"


@dataclass(frozen=True)
class Settings:
    """What the judge decides about the warden when it starts it.

    Attributes:
        build_root: build namespaces and file system here, because bubblewrap has not.
        namespaces: give each run namespaces of its own.
        use_seccomp: install the filter, where this architecture's calls are known.
        use_landlock: lay Landlock's rules on each program.
        readable: what programs may read.
        uid: the user that programs run as; None keeps the warden's.
        home: the directory for runs without a file system of their own.
    """

    build_root: bool
    namespaces: bool
    use_seccomp: bool
    use_landlock: bool
    readable: tuple[str, ...]
    uid: int | None
    home: str


def main(settings_text: str) -> None:
    """Serve orders from descriptor 0 until the judge goes. The first message sent says whether the warden is ready."""
    fields = json.loads(settings_text)
    settings = Settings(**{**fields, "readable": tuple(fields["readable"])})
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    channel = socket.socket(fileno=os.dup(0))
    try:
        confinement = _prepare(settings)
    except OSError as error:
        channel.send(str(error).encode())
        return
    channel.send(READY)
    while (received := receive_order(channel)) is not None:
        order, descriptors = received
        outcome = _execute(order, descriptors, confinement, channel)
        if outcome is None:
            return
        send(channel, outcome, [])


def _prepare(settings: Settings) -> cell.Confinement:
    if settings.build_root:
        root.enter(settings.readable)
    kernel.hide_from_same_user()
    kernel.adopt_orphans()
    kernel.empty_bounding_set()
    if settings.use_landlock and landlock.version() == 0:
        raise OSError("the kernel has no Landlock")
    return cell.Confinement(
        namespaces=settings.namespaces,
        uid=settings.uid,
        seccomp=filters.program(local_sockets=settings.namespaces) if settings.use_seccomp else None,
        readable=settings.readable if settings.use_landlock else None,
        home=settings.home,
    )


def _execute(
    order: Order, descriptors: list[int], confinement: cell.Confinement, channel: socket.socket
) -> Outcome | None:
    """Run one order; None when the judge went away meanwhile."""
    report_here, report_there = os.pipe()
    began = time.monotonic()
    keeper = _fork_keeper(order, descriptors, confinement, report_there)
    os.close(report_there)
    for descriptor in descriptors:
        os.close(descriptor)
    stopped, seen = _watch(order, keeper, report_here, channel, began)
    if stopped is not None:
        _kill(keeper, confinement)
    _, status, used = os.wait4(keeper, 0)
    report = None if stopped else cell.read_report(_read_all(report_here))
    os.close(report_here)
    if not confinement.namespaces:
        cell.kill_tree(os.getpid(), confinement.uid)
        cell.remove_directory(confinement)
    if stopped == _JUDGE_GONE:
        return None
    wall = time.monotonic() - began
    if stopped is not None:
        return Outcome(None, stopped, None, seen.cpu_s, wall, seen.memory_bytes)
    if report is None:
        return Outcome(None, None, f"the keeper ended with status {status}", seen.cpu_s, wall, seen.memory_bytes)
    exit_code = None if report.status is None else os.waitstatus_to_exitcode(report.status)
    return Outcome(
        exit_code=exit_code,
        stopped=None,
        failure=report.failure,
        cpu_s=max(0.0, used.ru_utime + used.ru_stime - report.setup_cpu_s),
        wall_s=wall,
        # Below what the keeper itself takes, the kernel's peak is the keeper's and not the program's.
        memory_bytes=max(seen.memory_bytes, _above(report.memory_bytes)) or report.memory_bytes,
        collected=report.collected,
    )


def _above(peak: int) -> int:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return peak if peak > own else 0


def _fork_keeper(order: Order, descriptors: list[int], confinement: cell.Confinement, report: int) -> int:
    if confinement.namespaces:
        # A process can ask for a new process namespace only once, unless it goes back to its own in between.
        kernel.enter_namespace(_own_processes(), kernel.NEW_PIDS)
        kernel.unshare(kernel.NEW_PIDS)
    keeper = os.fork()
    if keeper == 0:
        try:
            kernel.die_with_parent()
            cell.keep(order, descriptors, confinement, report)
        finally:
            os._exit(0)
    return keeper


@functools.cache
def _own_processes() -> int:
    return os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)


def _watch(
    order: Order, keeper: int, report: int, channel: socket.socket, began: float
) -> tuple[str | None, watch.Usage]:
    """Wait until the keeper reports or a limit is passed; return that limit's name, and the peaks that were seen."""
    poll = select.poll()
    poll.register(report, select.POLLIN | select.POLLHUP)
    poll.register(channel, select.POLLIN | select.POLLHUP)
    peak = watch.Usage(0.0, 0, 0)
    pause = _FIRST_LOOK_S
    while True:
        events = dict(poll.poll(pause * 1000))
        if report in events:
            return None, peak
        if channel.fileno() in events:
            message = channel.recv(MESSAGE_BYTES)
            return ("order" if message else _JUDGE_GONE), peak
        used = watch.usage(keeper)
        if used.memory_bytes > order.memory_bytes and used.processes > 1:
            used = replace(used, memory_bytes=watch.shared_once(keeper))
        peak = watch.Usage(*(max(pair) for pair in zip(astuple(used), astuple(peak), strict=True)))
        passed = _passed(order, used, time.monotonic() - began)
        if passed is not None:
            return passed, peak
        pause = min(_SLOWEST_LOOK_S, pause * 1.3)


def _passed(order: Order, used: watch.Usage, wall_s: float) -> str | None:
    if used.memory_bytes > order.memory_bytes:
        return "memory"
    # The kernel does not bound the processes of the system's own root.
    if used.processes > order.processes:
        return "processes"
    if used.cpu_s > order.cpu_s:
        return "cpu"
    return "wall" if wall_s > order.wall_s else None


def _kill(keeper: int, confinement: cell.Confinement) -> None:
    if not confinement.namespaces:
        cell.kill_tree(keeper, confinement.uid)
    os.kill(keeper, signal.SIGKILL)


def _read_all(descriptor: int) -> bytes:
    parts = []
    while part := os.read(descriptor, MESSAGE_BYTES):
        parts.append(part)
    return b"".join(parts)
