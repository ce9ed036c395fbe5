"""Landlock: file system rules that a process lays on itself, for machines that give it no namespaces."""

from __future__ import annotations

import ctypes
import errno
import os

from . import kernel

_SYS_CREATE_RULESET = 444
_SYS_ADD_RULE = 445
RESTRICT_SELF = 446
"""The system call that lays a ruleset on the calling process; it has one number on all architectures."""

_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIRECTORY = 1 << 3
_TRUNCATE = 1 << 14
_DEVICE_IOCTL = 1 << 15
_FIRST_VERSION_RIGHTS = (1 << 13) - 1
_SCOPES = 0b11
"""Abstract Unix sockets and signals reach no process outside."""

_TCP = 0b11
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """Return the kernel's Landlock version; 0 where it has none."""
    found = kernel.syscall(_SYS_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION))
    return max(0, found)


def ruleset(readable: tuple[str, ...], writable: str) -> int:
    """Return the descriptor of rules that allow to read and execute below some paths and to do anything below one.

    Raises:
        OSError: the kernel has no Landlock, or refuses.
    """
    known = version()
    if known == 0:
        raise OSError(errno.EOPNOTSUPP, "Landlock is not there")
    everything = _FIRST_VERSION_RIGHTS
    if known >= 2:
        everything |= 1 << 13
    if known >= 3:
        everything |= _TRUNCATE
    if known >= 5:
        everything |= _DEVICE_IOCTL
    described = _Ruleset(everything, _TCP if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    rules = kernel.check(
        kernel.syscall(_SYS_CREATE_RULESET, ctypes.byref(described), ctypes.c_size_t(size), ctypes.c_uint32(0)),
        "landlock_create_ruleset",
    )
    for path in readable:
        _allow(rules, path, _EXECUTE | _READ_FILE | _READ_DIRECTORY)
    for path in _DEVICES:
        _allow(rules, path, _READ_FILE | _WRITE_FILE)
    _allow(rules, writable, everything)
    return rules


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    if not os.path.isdir(path):
        rights &= _EXECUTE | _READ_FILE | _WRITE_FILE | _TRUNCATE
    rule = _PathBeneath(rights, place)
    kernel.check(
        kernel.syscall(
            _SYS_ADD_RULE,
            ctypes.c_int(rules),
            ctypes.c_int(_PATH_BENEATH),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        ),
        f"landlock_add_rule {path}",
    )
    os.close(place)
