"""The place of one run: a work directory that starts empty, the program in it, and nothing left of either afterwards.

Runs of one warden share its namespaces, one after the other. The file system they can write to is mounted anew for
each, and every process is killed and waited for before the next: as good as namespaces of their own, and cheaper.
"""

from __future__ import annotations

import os
import resource
import signal
import stat
import time
from dataclasses import dataclass

from . import kernel, landlock, watch
from .orders import Order

_STREAMS = 3
_WORLD = 0o777
_PAUSE_S = 0.001
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


@dataclass(frozen=True)
class Confinement:
    """What holds every program of this warden.

    Attributes:
        own_processes: the warden is process 1 of a process namespace, so that it can kill all other processes.
        own_mounts: the warden can mount a new file system for each run.
        uid: the user that programs run as; None keeps the warden's own.
        seccomp: the filter; None for none.
        readable: what programs may read under Landlock; None where Landlock is not used.
        box: the directory that holds the run's directories, and where its file system is mounted.
    """

    own_processes: bool
    own_mounts: bool
    uid: int | None
    seccomp: kernel.Filter | None
    readable: tuple[str, ...] | None
    box: str


@dataclass(frozen=True)
class Ended:
    """What the processes of a run used: wait status of the program, CPU seconds and peak resident bytes of all."""

    status: int | None
    cpu_s: float
    memory_bytes: int


def make(order: Order, descriptors: list[int], confinement: Confinement) -> str:
    """Make the run's directories, put its files there, and return the work directory.

    Raises:
        OSError: the file system cannot be mounted or the files do not fit.
    """
    box = confinement.box
    if confinement.own_mounts:
        flags = kernel.MOUNT_NO_SETUID | kernel.MOUNT_NO_DEVICES
        kernel.mount("tmpfs", box, "tmpfs", flags, f"size={order.disk_bytes},nr_inodes=65536,mode=755")
    for name in ("work", "tmp", "shm"):
        _open_directory(f"{box}/{name}")
    work = f"{box}/work"
    for (path, mode), source in zip(order.files, descriptors, strict=True):
        _write_file(work, path, mode, source, confinement.uid)
    return work


def remove(confinement: Confinement) -> None:
    """Take the run's directories away; call it when its processes have ended."""
    if confinement.own_mounts:
        kernel.detach(confinement.box)
        return
    for place, directories, files in os.walk(confinement.box, topdown=False):
        for name in files:
            os.unlink(f"{place}/{name}")
        for name in directories:
            path = f"{place}/{name}"
            if os.path.islink(path):
                os.unlink(path)
            else:
                os.rmdir(path)


def _open_directory(path: str) -> None:
    os.mkdir(path)
    os.chmod(path, _WORLD)


def _write_file(work: str, path: str, mode: int, source: int, uid: int | None) -> None:
    directory = work
    for part in path.split("/")[:-1]:
        directory = f"{directory}/{part}"
        if not os.path.isdir(directory):
            _open_directory(directory)
    if path.endswith("/"):
        return
    written = os.open(f"{work}/{path}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    _copy(source, written, os.fstat(source).st_size)
    os.fchmod(written, mode)
    if uid is not None:
        os.fchown(written, uid, uid)
    os.close(written)


def _copy(source: int, target: int, size: int) -> None:
    offset = 0
    while offset < size:
        sent = os.sendfile(target, source, offset, size - offset)
        if sent == 0:
            return
        offset += sent


def start(order: Order, streams: list[int], work: str, confinement: Confinement) -> tuple[int, float]:
    """Start the program; return its process and the CPU seconds that went by before its own first instruction.

    Raises:
        OSError: it cannot be started.
    """
    told_here, told_there = os.pipe()
    program = os.fork()
    if program == 0:
        _become_program(order, streams, work, confinement, told_there)
    os.close(told_there)
    told = b""
    while part := os.read(told_here, 4096):
        told += part
    os.close(told_here)
    before, _, failure = told.partition(b"\n")
    if failure or not before:
        raise OSError(f"{order.command[0]} cannot be started: {failure.decode(errors='replace')}")
    return program, float(before)


def _become_program(order: Order, streams: list[int], work: str, confinement: Confinement, told: int) -> None:
    try:
        os.setsid()
        os.chdir(work)
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
        if told != _STREAMS:
            told = os.dup2(told, _STREAMS, inheritable=False)
        os.closerange(_STREAMS + 1, 1 << 20)
        os.umask(0o022)
        for number in _IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)
        if confinement.own_mounts:
            kernel.unshare(kernel.NEW_IPC)
        _limit(order, confinement)
        if confinement.uid is not None:
            os.setgroups([])
            os.setresgid(confinement.uid, confinement.uid, confinement.uid)
            os.setresuid(confinement.uid, confinement.uid, confinement.uid)
        kernel.drop_capabilities()
        kernel.forbid_new_privileges()
        kernel.die_with_parent()
        if confinement.readable is not None:
            landlock.restrict(confinement.readable, confinement.box)
        environment = {**order.environment, "HOME": work, "TMPDIR": f"{confinement.box}/tmp"}  # noqa: S108 -- in the box
        if confinement.seccomp is not None:
            kernel.install_filter(confinement.seccomp)
        os.write(told, f"{time.process_time()}\n".encode())
        os.execvpe(order.command[0], order.command, environment)
    except OSError as error:
        os.write(told, f"\n{error.strerror}".encode())
    finally:
        os._exit(127)


def _limit(order: Order, confinement: Confinement) -> None:
    unlimited = resource.RLIM_INFINITY
    # The kernel counts all processes of a user; without a user or namespace of its own the program has many siblings.
    is_shared = confinement.uid is None and not confinement.own_processes
    siblings = watch.tasks_of_user(os.getuid()) if is_shared else 0
    space = unlimited if order.address_space_bytes is None else order.address_space_bytes
    for kind, value in (
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
    ):
        _, ceiling = resource.getrlimit(kind)
        if ceiling != unlimited:
            value = ceiling if value == unlimited else min(value, ceiling)
        resource.setrlimit(kind, (value, value))


def end(program: int | None, confinement: Confinement) -> Ended:
    """Kill every process of the run that is still there and wait for all of them."""
    status: int | None = None
    cpu, memory = 0.0, 0
    while True:
        _kill_all(confinement)
        while True:
            try:
                pid, told, used = os.wait4(-1, 0 if confinement.own_processes else os.WNOHANG)
            except ChildProcessError:
                return Ended(status, cpu, memory)
            if pid == 0:
                break
            if pid == program:
                status = told
            cpu += used.ru_utime + used.ru_stime
            memory = max(memory, used.ru_maxrss * 1024)
        time.sleep(_PAUSE_S)


def _kill_all(confinement: Confinement) -> None:
    if confinement.own_processes:
        _kill(-1)
        return
    if confinement.uid is not None:
        _kill_user(confinement.uid)
    for pid in watch.tree(os.getpid()):
        _kill(pid)


def _kill_user(uid: int) -> None:
    """Kill all processes of a user that runs nothing else, at one stroke."""
    killer = os.fork()
    if killer == 0:
        try:
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def collect(work: str, path: str, size: int, target: int) -> bool:
    """Copy a regular file of the work directory, up to a size; return whether it was there."""
    whole = f"{work}/{path}"
    if os.path.realpath(whole) != f"{os.path.realpath(work)}/{path}":
        return False
    try:
        source = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        if not stat.S_ISREG(os.fstat(source).st_mode):
            return False
        _copy(source, target, min(size, os.fstat(source).st_size))
        return True
    finally:
        os.close(source)
