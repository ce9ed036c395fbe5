"""System calls that Python's standard library lacks, by ctypes; each raises OSError as `os` does."""

from __future__ import annotations

import ctypes
import os

NEW_MOUNTS = 0x0002_0000
NEW_UTS = 0x0400_0000
NEW_IPC = 0x0800_0000
NEW_USER = 0x1000_0000
NEW_PIDS = 0x2000_0000
NEW_NETWORK = 0x4000_0000

MOUNT_READ_ONLY = 1
MOUNT_NO_SETUID = 2
MOUNT_NO_DEVICES = 4
MOUNT_NO_EXECUTE = 8
MOUNT_REMOUNT = 32
MOUNT_BIND = 4096
MOUNT_RECURSIVE = 16384
MOUNT_PRIVATE = 1 << 18

_DETACH = 2
_AT_FDCWD = -100
_AT_RECURSIVE = 0x8000
_SYS_MOUNT_SETATTR = 442
_ATTRIBUTE_READ_ONLY = 1
_ATTRIBUTE_NO_SETUID = 2

SET_DEATH_SIGNAL = 1
SET_SECCOMP = 22
SET_NO_NEW_PRIVILEGES = 38
"""Options of prctl."""

SECCOMP_FILTER = 2
CAPABILITY_VERSION_3 = 0x2008_0522

CLOSE_RANGE = 436
CLOSE_ON_EXECUTION = 4
"""A system call that has one number on all architectures, and its flag (from Linux 5.11 on)."""

CLOCK_OF_PROCESS = 2

_SET_DUMPABLE = 4
_DROP_FROM_BOUNDING_SET = 24
_SET_CHILD_SUBREAPER = 36
_SIGKILL = 9

libc = ctypes.CDLL(None, use_errno=True)


class _Attributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("propagation", ctypes.c_uint64),
        ("userns", ctypes.c_uint64),
    )


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


class Filter:
    """A seccomp filter, laid out in memory once so that forked children need not."""

    def __init__(self, code: bytes) -> None:
        """Take packed BPF instructions of 8 bytes each."""
        self._instructions = ctypes.create_string_buffer(code, len(code))
        self.program = _FilterProgram(len(code) // 8, ctypes.addressof(self._instructions))


def check(result: int, what: str) -> int:
    """Return the result of a call; raise OSError with ``what`` where it is negative."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """Make a raw system call; return its result or -1."""
    return int(libc.syscall(ctypes.c_long(number), *arguments))


def unshare(flags: int) -> None:
    """Leave the namespaces in ``flags`` for new ones."""
    check(libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount a file system."""
    check(
        libc.mount(
            os.fsencode(source),
            os.fsencode(target),
            None if kind is None else kind.encode(),
            ctypes.c_ulong(flags),
            data.encode() or None,
        ),
        f"mount {target}",
    )


def make_read_only(target: str) -> None:
    """Make a mount and all below it read-only, without setuid programs."""
    attributes = _Attributes(_ATTRIBUTE_READ_ONLY | _ATTRIBUTE_NO_SETUID, 0, 0, 0)
    result = syscall(
        _SYS_MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        os.fsencode(target),
        ctypes.c_uint(_AT_RECURSIVE),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )
    check(result, f"mount_setattr {target}")


def detach(target: str) -> None:
    """Take a mount away, also while something still uses it."""
    check(libc.umount2(os.fsencode(target), _DETACH), f"umount {target}")


def change_root(root: str) -> None:
    """Make ``root``, a mount point, the root of the file system and let go of the old one."""
    os.chdir(root)
    check(libc.pivot_root(b".", b"."), "pivot_root")
    check(libc.umount2(b".", _DETACH), "umount the old root")
    os.chdir("/")


def _prctl(option: int, value: int, what: str, pointer: object = 0) -> None:
    check(libc.prctl(option, ctypes.c_ulong(value), pointer, 0, 0), what)


def die_with_parent() -> None:
    """Have the kernel kill this process when the thread that forked it ends."""
    _prctl(SET_DEATH_SIGNAL, _SIGKILL, "PR_SET_PDEATHSIG")


def outlive_parent() -> None:
    """Take `die_with_parent` back."""
    _prctl(SET_DEATH_SIGNAL, 0, "PR_SET_PDEATHSIG")


def hide_from_same_user() -> None:
    """Keep other processes of this user from reading or tracing this one."""
    _prctl(_SET_DUMPABLE, 0, "PR_SET_DUMPABLE")


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    _prctl(_SET_CHILD_SUBREAPER, 1, "PR_SET_CHILD_SUBREAPER")


def empty_bounding_set() -> None:
    """Keep every program that this process or a descendant executes from gaining a capability."""
    capability = 0
    while libc.prctl(_DROP_FROM_BOUNDING_SET, ctypes.c_ulong(capability), 0, 0, 0) == 0:
        capability += 1
