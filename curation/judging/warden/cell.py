"""One run: a work directory of its own, namespaces of its own where there are any, and a program with its limits.

The warden forks the cell's keeper, which is process 1 of the cell's own process namespace and forks the program. When
the keeper ends, the kernel kills whatever the program left behind.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import stat
import time
from dataclasses import asdict, dataclass

from . import kernel, landlock, watch
from .orders import Order

BOX = "/box"
"""Where a cell's own file system is mounted."""

_KEPT_DESCRIPTORS = 3
_KILL_ROUNDS = 1000
_WORLD = 0o777
_SIGNALS_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


@dataclass(frozen=True)
class Confinement:
    """What holds every program of this warden.

    Attributes:
        namespaces: give each run its own process, mount and IPC namespaces.
        uid: the user that programs run as; None keeps the warden's own.
        seccomp: the packed filter; None for none.
        readable: what programs may read under Landlock; None where Landlock is not used.
        home: the directory that holds the run's directory where there are no namespaces.
    """

    namespaces: bool
    uid: int | None
    seccomp: bytes | None
    readable: tuple[str, ...] | None
    home: str


@dataclass(frozen=True)
class Ended:
    """What the keeper tells when the program has ended.

    Attributes:
        status: the program's wait status; None where it never started.
        memory_bytes: its peak of resident bytes.
        collected: whether each file to collect was there.
        setup_cpu_s: what keeper and program spent before the program's own first instruction.
        failure: why it never started.
    """

    status: int | None
    memory_bytes: int
    collected: tuple[bool, ...]
    setup_cpu_s: float
    failure: str | None


def keep(order: Order, descriptors: list[int], confinement: Confinement, report: int) -> None:
    """Be the keeper: set the cell up, run the program in it, write `Ended` to ``report``. Call it in a fresh fork."""
    try:
        if confinement.namespaces:
            work = _own_file_system(order)
        else:
            kernel.adopt_orphans()
            work = _own_directory(confinement)
        streams, rest = descriptors[:_KEPT_DESCRIPTORS], descriptors[_KEPT_DESCRIPTORS:]
        _write_files(work, order, rest[: len(order.files)], confinement.uid)
        ended = _run(order, streams, work, confinement, rest[len(order.files) :])
    except OSError as error:
        ended = Ended(None, 0, (), 0.0, f"the cell cannot be set up: {error}")
    _write_all(report, json.dumps(asdict(ended)).encode())


def read_report(data: bytes) -> Ended | None:
    """Read what `keep` wrote; None where it was killed before it wrote anything."""
    if not data:
        return None
    fields = json.loads(data)
    return Ended(**{**fields, "collected": tuple(fields["collected"])})


def remove_directory(confinement: Confinement) -> None:
    """Delete the run's directory where no namespace took it away."""
    if not confinement.namespaces:
        shutil.rmtree(_run_directory(confinement), ignore_errors=True)


def _run_directory(confinement: Confinement) -> str:
    return os.path.join(confinement.home, "box")


def _own_file_system(order: Order) -> str:
    kernel.unshare(kernel.NEW_MOUNTS | kernel.NEW_IPC)
    flags = kernel.MOUNT_NO_SETUID | kernel.MOUNT_NO_DEVICES
    kernel.mount("tmpfs", BOX, "tmpfs", flags, f"size={order.disk_bytes},nr_inodes=65536,mode=755")
    for name in ("work", "tmp", "shm"):
        _open_directory(f"{BOX}/{name}")
    kernel.mount(f"{BOX}/tmp", "/tmp", None, kernel.MOUNT_BIND)  # noqa: S108 -- the cell's own
    kernel.mount(f"{BOX}/shm", "/dev/shm", None, kernel.MOUNT_BIND)  # noqa: S108 -- the cell's own
    kernel.mount("proc", "/proc", "proc", flags | kernel.MOUNT_NO_EXECUTE)
    return f"{BOX}/work"


def _own_directory(confinement: Confinement) -> str:
    box = _run_directory(confinement)
    shutil.rmtree(box, ignore_errors=True)
    for path in (box, f"{box}/work", f"{box}/tmp"):  # noqa: S108 -- below a directory of ours
        _open_directory(path)
    return f"{box}/work"


def _open_directory(path: str) -> None:
    os.mkdir(path)
    os.chmod(path, _WORLD)


def _write_files(work: str, order: Order, descriptors: list[int], uid: int | None) -> None:
    for (path, mode), source in zip(order.files, descriptors, strict=True):
        target = os.path.join(work, path)
        directory = os.path.dirname(target)
        if not os.path.isdir(directory):
            os.makedirs(directory, exist_ok=True)
            _give_directories(work, directory)
        if path.endswith("/"):
            continue
        written = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        _copy(source, written, os.fstat(source).st_size)
        os.fchmod(written, mode)
        if uid is not None:
            os.fchown(written, uid, uid)
        os.close(written)


def _give_directories(work: str, directory: str) -> None:
    while directory != work:
        os.chmod(directory, _WORLD)
        directory = os.path.dirname(directory)


def _copy(source: int, target: int, size: int) -> None:
    offset = 0
    while offset < size:
        sent = os.sendfile(target, source, offset, size - offset)
        if sent == 0:
            return
        offset += sent


def _run(order: Order, streams: list[int], work: str, confinement: Confinement, collected: list[int]) -> Ended:
    failed_here, failed_there = os.pipe()
    program = os.fork()
    if program == 0:
        os.close(failed_here)
        _become_program(order, streams, work, confinement, failed_there)
    os.close(failed_there)
    for descriptor in streams:
        os.close(descriptor)
    with os.fdopen(failed_here, "rb") as pipe:
        before, _, failure = pipe.read().partition(b"\n")
    while True:
        pid, status, used = os.wait4(-1, 0)
        if pid == program:
            break
    if failure:
        return Ended(None, 0, (), 0.0, failure.decode(errors="replace"))
    if confinement.namespaces:
        _kill_everything_here()
    else:
        kill_tree(os.getpid(), confinement.uid)
    _reap()
    found = tuple(
        _collect(work, path, size, target) for (path, size), target in zip(order.collect, collected, strict=True)
    )
    own = resource.getrusage(resource.RUSAGE_SELF)
    return Ended(status, used.ru_maxrss * 1024, found, own.ru_utime + own.ru_stime + float(before or 0), None)


def kill_tree(root: int, uid: int | None) -> None:
    """Kill everything below ``root``, for cells without a process namespace; the caller reaps.

    Args:
        root: the process above those to kill.
        uid: a user that runs nothing else, all of whose processes are killed at once; None where there is none.
    """
    if uid is not None:
        killer = os.fork()
        if killer == 0:
            try:
                os.setresuid(uid, uid, uid)
                os.kill(-1, signal.SIGKILL)
            finally:
                os._exit(0)
        os.waitpid(killer, 0)
    for _ in range(_KILL_ROUNDS):
        living = watch.tree(root)
        if not living:
            return
        for pid in living:
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                continue
        if root == os.getpid():
            _reap()


def _reap() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return


def _kill_everything_here() -> None:
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        return


def _collect(work: str, path: str, size: int, target: int) -> bool:
    whole = os.path.join(work, path)
    if os.path.realpath(whole) != os.path.join(os.path.realpath(work), path):
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


def _become_program(order: Order, streams: list[int], work: str, confinement: Confinement, failed: int) -> None:
    try:
        os.setsid()
        os.chdir(work)
        for number, descriptor in enumerate(streams):
            os.dup2(descriptor, number)
        if failed != _KEPT_DESCRIPTORS:
            os.dup2(failed, _KEPT_DESCRIPTORS, inheritable=False)
        os.closerange(_KEPT_DESCRIPTORS + 1, 1 << 20)
        failed = _KEPT_DESCRIPTORS
        os.umask(0o022)
        for number in _SIGNALS_IGNORED_BY_PYTHON:
            signal.signal(number, signal.SIG_DFL)
        if confinement.uid is not None:
            os.setgroups([])
            os.setresgid(confinement.uid, confinement.uid, confinement.uid)
        _limit(order)
        if confinement.uid is not None:
            os.setresuid(confinement.uid, confinement.uid, confinement.uid)
        kernel.drop_capabilities()
        kernel.forbid_new_privileges()
        if confinement.readable is not None:
            landlock.restrict(confinement.readable, os.path.dirname(work))
        environment = {**order.environment, "HOME": work, "TMPDIR": os.path.join(os.path.dirname(work), "tmp")}
        if confinement.seccomp is not None:
            kernel.install_filter(confinement.seccomp)
        _write_all(failed, f"{time.process_time()}\n".encode())
        os.execvpe(order.command[0], order.command, environment)
    except OSError as error:
        _write_all(failed, f"{order.command[0]} cannot be started: {error}".encode())
    finally:
        os._exit(127)


def _limit(order: Order) -> None:
    unlimited = resource.RLIM_INFINITY
    space = unlimited if order.address_space_bytes is None else order.address_space_bytes
    for kind, value in (
        # The watcher sees the tree's CPU time; this is the net below it, in whole seconds of one process.
        (resource.RLIMIT_CPU, int(order.cpu_s) + 2),
        (resource.RLIMIT_AS, space),
        (resource.RLIMIT_STACK, unlimited),
        (resource.RLIMIT_FSIZE, order.file_bytes),
        (resource.RLIMIT_NPROC, order.processes),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 65536),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, ceiling = resource.getrlimit(kind)
        if ceiling != unlimited:
            value = ceiling if value == unlimited else min(value, ceiling)
        resource.setrlimit(kind, (value, value))


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
