"""The file system that cells see, built without bubblewrap: a few read-only directories, nothing of the host's own."""

from __future__ import annotations

import os
import signal

from . import kernel

_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = (("bin", "usr/bin"), ("sbin", "usr/sbin"), ("lib", "usr/lib"), ("lib64", "usr/lib64"), ("lib32", "usr/lib32"))
_FLAGS = kernel.MOUNT_NO_SETUID | kernel.MOUNT_NO_DEVICES
_NEW_ROOT = "/tmp"  # noqa: S108 -- only a place to mount on, in a mount namespace of our own


def enter(readable: tuple[str, ...]) -> None:
    """Move this process into namespaces of its own, whose file system holds the ``readable`` paths; fork on the way.

    The caller returns as process 1 of the new process namespace; the process that called waits for it and ends.

    Raises:
        OSError: the machine does not allow it.
    """
    uid, gid = os.getuid(), os.getgid()
    user = 0 if uid == 0 else kernel.NEW_USER
    kernel.unshare(user | kernel.NEW_MOUNTS | kernel.NEW_PIDS | kernel.NEW_NETWORK | kernel.NEW_IPC | kernel.NEW_UTS)
    if user:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"0 {uid} 1")
        _write("/proc/self/gid_map", f"0 {gid} 1")
    inside = os.fork()
    if inside:
        _wait_for(inside)
    kernel.die_with_parent()
    kernel.mount("none", "/", None, kernel.MOUNT_RECURSIVE | kernel.MOUNT_PRIVATE)
    kernel.mount("tmpfs", _NEW_ROOT, "tmpfs", _FLAGS, "size=1m,mode=755")
    for path in readable:
        _show(path)
    for name, target in _LINKS:
        link = f"{_NEW_ROOT}/{name}"
        if os.path.islink(f"/{name}") and not os.path.lexists(link):
            os.symlink(target, link)
    _make_devices()
    for name in ("proc", "box"):
        os.makedirs(f"{_NEW_ROOT}/{name}", exist_ok=True)
    os.symlink("box/tmp", f"{_NEW_ROOT}/tmp")  # noqa: S108 -- inside the new root
    kernel.mount("proc", f"{_NEW_ROOT}/proc", "proc", _FLAGS | kernel.MOUNT_NO_EXECUTE)
    kernel.mount("", _NEW_ROOT, None, kernel.MOUNT_REMOUNT | kernel.MOUNT_BIND | kernel.MOUNT_READ_ONLY | _FLAGS)
    kernel.change_root(_NEW_ROOT)


def hide_processes() -> None:
    """Mount /proc again so that programs see no process that they could not trace: the warden, for one."""
    try:
        kernel.mount("proc", "/proc", "proc", _FLAGS | kernel.MOUNT_NO_EXECUTE, "hidepid=2")
    except OSError:
        # Some containers cover parts of /proc and may not mount it whole; the one that is there stays.
        return


def _wait_for(inside: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _, status = os.waitpid(inside, 0)
    os._exit(abs(os.waitstatus_to_exitcode(status)))


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def _show(path: str) -> None:
    if not os.path.exists(path) or (os.path.islink(path) and any(path == f"/{name}" for name, _ in _LINKS)):
        return
    target = _NEW_ROOT + path
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o444))
    kernel.mount(os.path.realpath(path), target, None, kernel.MOUNT_BIND | kernel.MOUNT_RECURSIVE)
    kernel.make_read_only(target)


def _make_devices() -> None:
    home = f"{_NEW_ROOT}/dev"
    os.makedirs(home)
    os.symlink("../box/shm", f"{home}/shm")
    for name in _DEVICES:
        target = f"{home}/{name}"
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT, 0o666))
        kernel.mount(f"/dev/{name}", target, None, kernel.MOUNT_BIND)
    for name, path in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(path, f"{home}/{name}")
