"""How much a tree of processes has used so far, read from /proc while it runs."""

from __future__ import annotations

import os
from dataclasses import dataclass

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Usage:
    """What a tree uses: CPU seconds so far, resident bytes now, processes and threads now."""

    cpu_s: float
    memory_bytes: int
    processes: int


@dataclass(frozen=True)
class _Process:
    pid: int
    parent: int
    cpu_s: float
    memory_bytes: int
    threads: int


def tree(root: int) -> list[int]:
    """Return the processes below ``root``, without it."""
    return [process.pid for process in _below(root)]


def usage(root: int) -> Usage:
    """Add up what the processes below ``root`` use, with the CPU time of children that were waited for."""
    processes = _below(root)
    memory = sum(process.memory_bytes for process in processes)
    return Usage(sum(process.cpu_s for process in processes), memory, sum(process.threads for process in processes))


def shared_once(root: int) -> int:
    """Return the resident bytes below ``root`` with each shared page counted once; slower than `usage`."""
    total = 0
    for process in _below(root):
        try:
            with open(f"/proc/{process.pid}/smaps_rollup") as file:
                text = file.read()
        except OSError:
            total += process.memory_bytes
            continue
        total += sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))
    return total


def tasks_of_user(uid: int) -> int:
    """Return how many processes and threads a user has on this machine."""
    total = 0
    for entry in os.scandir("/proc"):
        try:
            process = _read(entry.name) if entry.name.isdigit() and entry.stat().st_uid == uid else None
        except OSError:
            continue
        total += 0 if process is None else process.threads
    return total


def waiting_s(root: int) -> float:
    """Return the longest time that one process below ``root`` was ready to run and got no processor."""
    longest = 0
    for process in _below(root):
        try:
            with open(f"/proc/{process.pid}/schedstat", "rb", buffering=0) as file:
                longest = max(longest, int(file.read(200).split()[1]))
        except (OSError, IndexError, ValueError):
            continue
    return longest / 1e9


def disk_bytes(directory: str) -> int:
    """Return how much disk the files below a directory take."""
    total = 0
    for place, _, files in os.walk(directory):
        for name in files:
            try:
                total += os.lstat(f"{place}/{name}").st_blocks * 512
            except OSError:
                continue
    return total


def _below(root: int) -> list[_Process]:
    processes = _all()
    children: dict[int, list[_Process]] = {}
    for process in processes:
        children.setdefault(process.parent, []).append(process)
    found: list[_Process] = []
    waiting = [root]
    while waiting:
        for process in children.get(waiting.pop(), []):
            found.append(process)
            waiting.append(process.pid)
    return found


def _all() -> list[_Process]:
    read = (_read(name) for name in os.listdir("/proc") if name.isdigit())
    return [process for process in read if process is not None]


def _read(name: str) -> _Process | None:
    try:
        with open(f"/proc/{name}/stat", "rb", buffering=0) as file:
            text = file.read(4096)
    except OSError:
        return None
    # The name of the program stands in brackets and may hold brackets and spaces itself.
    fields = text[text.rindex(b")") + 2 :].split()
    return _Process(
        pid=int(name),
        parent=int(fields[1]),
        cpu_s=sum(int(fields[index]) for index in (11, 12, 13, 14)) / _TICKS_PER_SECOND,
        memory_bytes=int(fields[21]) * _PAGE_BYTES,
        threads=int(fields[17]),
    )
