"""The warden's loop: take an order, run it, watch it, report how it ended."""

from __future__ import annotations

import gc
import json
import os
import resource
import select
import signal
import socket
import time
from dataclasses import astuple, dataclass, replace

from . import cell, filters, kernel, landlock, root, watch
from .launch import Launcher
from .orders import MESSAGE_BYTES, MOST_TIMES_THE_WALL, READY, Order, Orders, Outcome, send, text_of
from .program import Confinement, Starter

_FIRST_LOOK_S = 0.004
_SLOWEST_LOOK_S = 0.02
_LOOKS_GROW_BY = 1.3
_JUDGE_GONE = "judge gone"
_STREAMS = 3


@dataclass(frozen=True)
class Settings:
    """What the judge decides about the warden when it starts it.

    Attributes:
        build_root: build namespaces and file system here, because bubblewrap has not.
        own_processes: the warden is process 1 of its own process namespace.
        own_mounts: the warden may mount, so that it can serve more than one run.
        use_seccomp: install the filter, where this architecture's calls are known.
        use_landlock: lay Landlock's rules on each program.
        readable: what programs may read.
        launcher: the compiled ``launch.c``; empty for none.
        uid: the user that programs run as; None keeps the warden's.
        box: the directory for the runs; where there are no namespaces the warden makes it and takes it away.
    """

    build_root: bool
    own_processes: bool
    own_mounts: bool
    use_seccomp: bool
    use_landlock: bool
    readable: tuple[str, ...]
    launcher: str
    uid: int | None
    box: str


def main(settings_text: str) -> None:
    """Serve orders from descriptor 0 until the judge goes. The first message says whether the warden is ready."""
    fields = json.loads(settings_text)
    settings = Settings(**{**fields, "readable": tuple(fields["readable"])})
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    channel = socket.socket(fileno=os.dup(0))
    # Loaded while its file is in sight.
    launcher = Launcher(settings.launcher)
    try:
        confinement = _prepare(settings)
    except OSError as error:
        channel.send(str(error).encode())
        return
    channel.send(READY)
    try:
        _serve(channel, confinement, launcher)
    finally:
        if not confinement.own_processes:
            os.rmdir(confinement.box)


def _serve(channel: socket.socket, confinement: Confinement, launcher: Launcher) -> None:
    starter, orders = Starter(confinement, launcher), Orders(channel)
    while (received := orders.receive()) is not None:
        order, descriptors = received
        try:
            try:
                outcome = _execute(order, descriptors, starter, channel)
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)
            if outcome is None:
                return
            # The judge goes on while the run's files are taken away, which is done before the next order is read.
            send(channel, text_of(outcome), [])
        finally:
            cell.remove(confinement)


def _prepare(settings: Settings) -> Confinement:
    _close_on_execution()
    if settings.build_root:
        root.enter(settings.readable)
    if settings.own_mounts:
        root.hide_processes()
    if not settings.own_processes:
        # Nobody else ends its programs: it stays until it sees that the judge has gone.
        kernel.outlive_parent()
        # Programs of another user must be able to reach their directories below this one.
        os.mkdir(settings.box, 0o711)
    kernel.hide_from_same_user()
    kernel.adopt_orphans()
    kernel.empty_bounding_set()
    code = filters.program(local_sockets=settings.own_processes) if settings.use_seccomp else None
    # A collection would cost time in a run, and a forked child every page that holds an object.
    gc.disable()
    return Confinement(
        own_processes=settings.own_processes,
        own_mounts=settings.own_mounts,
        uid=settings.uid,
        seccomp=None if code is None else kernel.Filter(code),
        landlock=landlock.ruleset(settings.readable, settings.box) if settings.use_landlock else None,
        box=settings.box,
    )


def _close_on_execution() -> None:
    """See to it that no program gets a descriptor of ours; Python opens all others that way."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) >= _STREAMS:
            try:
                os.set_inheritable(int(name), False)
            except OSError:
                # The listing's own, which is closed.
                continue


def _execute(order: Order, descriptors: list[int], starter: Starter, channel: socket.socket) -> Outcome | None:
    """Run one order; None when the judge went away meanwhile."""
    began = time.monotonic()
    confinement, launcher = starter.confinement, starter.launcher
    files, collected = descriptors[_STREAMS:][: len(order.files)], descriptors[_STREAMS + len(order.files) :]
    program = None
    try:
        work = cell.make(order, files, confinement)
        program, setup_s = starter.start(order, descriptors[:_STREAMS], work)
        own_disk = None if confinement.own_mounts else confinement.box
        stopped, seen = _watch(order, program, channel, began, own_disk)
        ended = cell.end(program, confinement, launcher)
        ended_at = time.monotonic()
        found = tuple(
            cell.collect(work, path, size, target)
            for (path, size), target in zip(order.collect, collected, strict=True)
        )
    except OSError as error:
        cell.end(program, confinement, launcher)
        return Outcome(None, None, str(error), 0.0, 0.0, 0)
    if stopped == _JUDGE_GONE:
        return None
    status = None if stopped or ended.status is None else os.waitstatus_to_exitcode(ended.status)
    return Outcome(
        exit_code=status,
        stopped=stopped,
        failure=None,
        cpu_s=max(seen.cpu_s, ended.cpu_s - setup_s),
        wall_s=ended_at - began,
        # Below what the warden itself takes, the kernel's peak is the warden's and not the program's.
        memory_bytes=max(seen.memory_bytes, _above_own(ended.memory_bytes)) or ended.memory_bytes,
        collected=found,
        ended_at=ended_at,
    )


def _above_own(peak: int) -> int:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return peak if peak > own else 0


def _watch(
    order: Order, program: int, channel: socket.socket, began: float, disk: str | None
) -> tuple[str | None, watch.Usage]:
    """Wait until the program ends or passes a limit; return that limit's name, and the peaks that were seen.

    ``disk`` is the run's directory where no file system of its own bounds it.
    """
    ended = os.pidfd_open(program)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(channel, select.POLLIN | select.POLLHUP)
    peak = watch.Usage(0.0, 0, 0)
    pause = _FIRST_LOOK_S
    try:
        while True:
            events = dict(poll.poll(pause * 1000))
            if ended in events:
                return None, peak
            if channel.fileno() in events:
                return ("order" if channel.recv(MESSAGE_BYTES) else _JUDGE_GONE), peak
            used = watch.usage(os.getpid())
            if used.memory_bytes > order.memory_bytes and used.processes > 1:
                # A fork between two readings counts pages twice, so the smaller of two sums is taken.
                memory = min(watch.shared_once(os.getpid()), watch.shared_once(os.getpid()))
                used = replace(used, memory_bytes=memory)
            peak = watch.Usage(*(max(pair) for pair in zip(astuple(used), astuple(peak), strict=True)))
            passed = _passed(order, used, time.monotonic() - began)
            if passed is None and disk is not None and watch.disk_bytes(disk) > order.disk_bytes:
                passed = "disk"
            if passed is not None:
                return passed, peak
            pause = min(_SLOWEST_LOOK_S, pause * _LOOKS_GROW_BY)
    finally:
        os.close(ended)


def _passed(order: Order, used: watch.Usage, wall_s: float) -> str | None:
    if used.memory_bytes > order.memory_bytes:
        return "memory"
    # The kernel does not bound the processes of the system's own root.
    if used.processes > order.processes:
        return "processes"
    if used.cpu_s > order.cpu_s:
        return "cpu"
    if wall_s > order.wall_s and wall_s - watch.waiting_s(os.getpid()) > order.wall_s:
        return "wall"
    return "wall" if wall_s > MOST_TIMES_THE_WALL * order.wall_s else None
