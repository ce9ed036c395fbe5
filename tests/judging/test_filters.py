"""The seccomp filter, executed by a small interpreter of its instructions, for each architecture it knows."""

from __future__ import annotations

import errno
import struct

import pytest

from curation.judging.warden import filters

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS = {
    "x86_64": {"read": 0, "clone": 56, "execve": 59, "socket": 41, "ptrace": 101, "mount": 165, "memfd_create": 319},
    "aarch64": {
        "read": 63,
        "clone": 220,
        "execve": 221,
        "socket": 198,
        "ptrace": 117,
        "mount": 40,
        "memfd_create": 279,
    },
}
ALLOWED, KILLED = "allowed", "killed"
PLAIN_FORK = 0x01200011
NEW_USER = 0x10000000
UNIX, INTERNET = 1, 2


def decide(program: bytes, architecture: int, number: int, first: int = 0) -> str | int:
    """Run the filter on one call; return ``allowed``, ``killed`` or the error number."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, first, 0, 0, 0, 0, 0)
    accumulator, place = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("=HBBI", program, 8 * place)
        place += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x06:
            return {0x7FFF0000: ALLOWED, 0x80000000: KILLED}.get(value, value & 0xFFFF)
        else:
            holds = {
                0x15: accumulator == value,
                0x25: accumulator > value,
                0x45: bool(accumulator & value),
            }[code]
            place += if_true if holds else if_false


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_calls_are_allowed_refused_or_absent(machine: str) -> None:
    program = filters.program(machine, local_sockets=True)
    assert program is not None
    call = NUMBERS[machine]

    def told(name: str, first: int = 0) -> str | int:
        return decide(program, ARCHITECTURES[machine], call[name], first)

    assert told("read") == told("execve") == ALLOWED
    assert told("clone", PLAIN_FORK) == ALLOWED
    assert told("clone", PLAIN_FORK | NEW_USER) == errno.EPERM
    assert told("socket", UNIX) == ALLOWED
    assert told("socket", INTERNET) == errno.EAFNOSUPPORT
    assert told("ptrace") == told("mount") == errno.EPERM
    assert told("memfd_create") == errno.ENOSYS
    assert decide(program, ARCHITECTURES[machine], 435) == errno.ENOSYS


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_other_architectures_calls_kill(machine: str) -> None:
    program = filters.program(machine, local_sockets=True)
    assert program is not None
    assert decide(program, 0x40000003, 1) == KILLED
    if machine == "x86_64":
        assert decide(program, ARCHITECTURES[machine], 0x40000000) == KILLED


def test_unix_sockets_are_refused_where_they_could_reach_the_host() -> None:
    program = filters.program("x86_64", local_sockets=False)
    assert program is not None
    assert decide(program, ARCHITECTURES["x86_64"], NUMBERS["x86_64"]["socket"], UNIX) == errno.EAFNOSUPPORT


def test_an_unknown_architecture_has_no_filter() -> None:
    assert filters.program("vax", local_sockets=True) is None
