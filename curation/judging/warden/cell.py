"""The place of one run: a work directory that starts empty, the program in it, and nothing left of either afterwards.

Runs of one warden share its namespaces, one after the other. The file system they can write to is mounted anew for
each, and every process is killed and waited for before the next: as good as namespaces of their own, and cheaper.
"""

from __future__ import annotations

import os
import signal
import stat
import time
from dataclasses import dataclass

from . import kernel, program, watch
from .launch import Launcher
from .orders import Order
from .program import Confinement

_WORLD = 0o777
_PAUSE_S = 0.001
_EVERY_CHILD = 0x4000_0000
"""Wait also for children whose end sends no SIGCHLD."""


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


def end(root: int | None, confinement: Confinement, launcher: Launcher) -> Ended:
    """Kill every process of the run that is still there and wait for all of them; ``root`` is the program's own.

    Orphans become children of the warden, so where it has no child, no process of the run is left.
    """
    status: int | None = None
    cpu, memory = 0.0, 0
    options = os.WNOHANG
    while True:
        while True:
            try:
                pid, told, used = os.wait4(-1, options | _EVERY_CHILD)
            except ChildProcessError:
                return Ended(status, cpu, memory)
            if pid == 0:
                break
            if pid == root:
                status = told
            cpu += used.ru_utime + used.ru_stime
            memory = max(memory, used.ru_maxrss * 1024)
        _kill_all(confinement, launcher)
        if confinement.own_processes:
            options = 0
        else:
            time.sleep(_PAUSE_S)


def _kill_all(confinement: Confinement, launcher: Launcher) -> None:
    if confinement.own_processes:
        _kill(-1)
        return
    if confinement.uid is not None:
        program.kill_user(launcher, confinement.uid)
    for pid in watch.tree(os.getpid()):
        _kill(pid)


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
