"""The seccomp filter of a cell: system calls that no submission needs, and that widen what a hostile one can do."""

from __future__ import annotations

import errno
import os
import struct

_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_KILL = 0x8000_0000

_LOAD_WORD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_ABOVE = 0x25
_JUMP_SET = 0x45
_RETURN = 0x06

_OFFSET_NUMBER = 0
_OFFSET_ARCHITECTURE = 4
_OFFSET_FIRST_ARGUMENT = 16

_NEW_NAMESPACES = 0x7E02_0000
"""CLONE_NEWUSER, NEWPID, NEWNET, NEWIPC, NEWUTS, NEWCGROUP, NEWNS."""

_UNIX_SOCKET = 1
_NO_SOCKET = 0xFFFF
_FIRST_X32_CALL = 0x4000_0000

_COMMON = {
    "pidfd_send_signal": 424,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "clone3": 435,
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "mount_setattr": 442,
    "memfd_secret": 447,
}
"""Calls that have one number on all architectures."""

_CALLS = {
    "x86_64": {
        "socket": 41,
        "clone": 56,
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "ptrace": 101,
        "personality": 135,
        "pivot_root": 155,
        "acct": 163,
        "mount": 165,
        "umount2": 166,
        "swapon": 167,
        "reboot": 169,
        "init_module": 175,
        "quotactl": 179,
        "lookup_dcookie": 212,
        "kexec_load": 246,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "unshare": 272,
        "perf_event_open": 298,
        "fanotify_init": 300,
        "name_to_handle_at": 303,
        "open_by_handle_at": 304,
        "setns": 308,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "finit_module": 313,
        "memfd_create": 319,
        "kexec_file_load": 320,
        "bpf": 321,
        "userfaultfd": 323,
    },
    "aarch64": {
        "socket": 198,
        "clone": 220,
        "shmget": 194,
        "semget": 190,
        "msgget": 186,
        "ptrace": 117,
        "personality": 92,
        "pivot_root": 41,
        "acct": 89,
        "mount": 40,
        "umount2": 39,
        "swapon": 224,
        "reboot": 142,
        "init_module": 105,
        "quotactl": 60,
        "lookup_dcookie": 18,
        "kexec_load": 104,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "unshare": 97,
        "perf_event_open": 241,
        "fanotify_init": 262,
        "name_to_handle_at": 264,
        "open_by_handle_at": 265,
        "setns": 268,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "finit_module": 273,
        "memfd_create": 279,
        "kexec_file_load": 294,
        "bpf": 280,
        "userfaultfd": 282,
    },
}

_ARCHITECTURES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

_ABSENT = ("clone3", "memfd_create", "memfd_secret", "shmget", "semget", "msgget", "io_uring_setup")
"""Calls that answer ENOSYS, because runtimes fall back to another way; the others answer EPERM.

Memory of memfd and System V segments belongs to no process, so a watcher of processes could not count it.
"""


def program(machine: str | None = None, *, local_sockets: bool) -> bytes | None:
    """Return the packed BPF program for an architecture; None where the call numbers are not known here.

    Args:
        machine: the architecture as ``uname`` names it; this machine's by default.
        local_sockets: allow Unix sockets, which reach no further than the network namespace where there is one.
    """
    machine = machine or os.uname().machine
    if machine not in _CALLS:
        return None
    calls = {**_COMMON, **_CALLS[machine]}
    refused = {name: number for name, number in calls.items() if name not in ("socket", "clone")}
    code = [
        _step(_LOAD_WORD, _OFFSET_ARCHITECTURE),
        _step(_JUMP_EQUAL, _ARCHITECTURES[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD_WORD, _OFFSET_NUMBER),
    ]
    if machine == "x86_64":
        code += [_step(_JUMP_ABOVE, _FIRST_X32_CALL - 1, 0, 1), _step(_RETURN, _KILL)]
    for name, number in sorted(refused.items(), key=lambda item: item[1]):
        answer = errno.ENOSYS if name in _ABSENT else errno.EPERM
        code += [_step(_JUMP_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | answer)]
    code += [
        _step(_JUMP_EQUAL, calls["clone"], 0, 4),
        _step(_LOAD_WORD, _OFFSET_FIRST_ARGUMENT),
        _step(_JUMP_SET, _NEW_NAMESPACES, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
        _step(_JUMP_EQUAL, calls["socket"], 0, 3),
        _step(_LOAD_WORD, _OFFSET_FIRST_ARGUMENT),
        _step(_JUMP_EQUAL, _UNIX_SOCKET if local_sockets else _NO_SOCKET, 1, 0),
        _step(_RETURN, _ERRNO | errno.EAFNOSUPPORT),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(code)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
