"""How strongly this machine can isolate a program, and how a warden is started at each level.

Levels, strongest first:

``bubblewrap``  the warden runs under bubblewrap: no network, a read-only view of the system, a new file system a run.
``namespaces``  the same, with the warden making namespaces and file system itself.
``limits``      no namespaces: an unprivileged user where we are root, resource limits, seccomp and Landlock where the
                kernel has them, and the whole tree killed. Programs see the machine's processes.
``none``        resource limits only; never chosen, only asked for.
"""

from __future__ import annotations

import functools
import json
import os
import secrets
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from curation.errors import OutsideError
from curation.judging.launcher import compiled_launcher
from curation.judging.warden import filters, landlock
from curation.judging.warden.main import Settings

Level = Literal["bubblewrap", "namespaces", "limits", "none"]
LEVELS: tuple[Level, ...] = get_args(Level)

_WARDEN = Path(__file__).resolve().parent / "warden"
_SYSTEM_FILES = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
)
_LAUNCHER_INSIDE = "/judge/launch.so"
_BOX = "/box"
_BOX_BYTES = 1 << 30
"""The size of a box that bubblewrap mounts, where the warden may not mount one of the run's own size."""

_DEVICES = ("null", "zero", "full", "random", "urandom")
_LINKS = (
    ("box/tmp", "/tmp"),  # noqa: S108 -- inside the sandbox
    ("../box/shm", "/dev/shm"),  # noqa: S108 -- inside the sandbox
    ("/proc/self/fd", "/dev/fd"),
    ("fd/0", "/dev/stdin"),
    ("fd/1", "/dev/stdout"),
    ("fd/2", "/dev/stderr"),
)
_SYSTEM_DIRECTORIES = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32")
_HIGH_USERS = (1_900_000_000, 1 << 28)
_LOW_USERS = (20_000, 40_000)
_NOBODY = 65_534
_BARE_START = "import sys; sys.path.insert(0, sys.argv[1]); from warden import main; main.main(sys.argv[2])"


@dataclass(frozen=True, slots=True)
class Isolation:
    """What holds a program.

    Attributes:
        level: the kind of isolation.
        reusable: one warden serves many runs, one after the other, with nothing left in between; where it may not
            mount, a warden in bubblewrap serves one run and a new one is started for the next.
        seccomp: system calls are filtered.
        landlock: the file system is closed by Landlock, for lack of namespaces.
    """

    level: Level
    reusable: bool
    seccomp: bool
    landlock: bool

    @property
    def sentence(self) -> str:
        """Say what holds a program and what does not, for a reader."""
        parts = {
            "bubblewrap": "bubblewrap: no network, a read-only system, own processes and files for each run",
            "namespaces": "namespaces: no network, a read-only system, own processes and files for each run",
            "limits": "limits only: programs see other processes of this machine and may disturb their own user's",
            "none": "no isolation: programs run with the judge's own rights",
        }[self.level]
        extras = [name for name, there in (("seccomp", self.seccomp), ("Landlock", self.landlock)) if there]
        return parts + (f"; with {' and '.join(extras)}" if extras else "")


def describe(level: Level, *, reusable: bool = True) -> Isolation:
    """Return what a level means on this machine, without trying it.

    Args:
        level: the level.
        reusable: False for bubblewrap that lets its warden mount nothing.
    """
    known = filters.program(local_sockets=True) is not None
    return Isolation(
        level=level,
        reusable=reusable,
        seccomp=known and level != "none",
        landlock=level == "limits" and landlock.version() > 0,
    )


def command(isolation: Isolation) -> list[str]:
    """Return the command that starts a warden.

    Args:
        isolation: the level to start it at.

    Raises:
        OutsideError: bubblewrap is asked for and not there.
    """
    has_namespaces = isolation.level in ("bubblewrap", "namespaces")
    is_root = os.getuid() == 0
    if is_root and not isolation.reusable:
        raise OutsideError("as root, programs must run as somebody else, which needs a warden that may mount: use it")
    launcher = compiled_launcher()
    settings = Settings(
        build_root=isolation.level == "namespaces",
        own_processes=has_namespaces,
        own_mounts=has_namespaces and isolation.reusable,
        use_seccomp=isolation.seccomp,
        use_landlock=isolation.landlock,
        readable=readable_paths(),
        launcher=launcher if isolation.level != "bubblewrap" or not launcher else _LAUNCHER_INSIDE,
        uid=_user() if is_root and isolation.level != "none" else None,
        box=_BOX if has_namespaces else f"{tempfile.gettempdir()}/curation-cell-{secrets.token_hex(8)}",
    )
    python = [interpreter(), "-I", "-S", "-B", "-c", _BARE_START]
    text = json.dumps(asdict(settings))
    if isolation.level != "bubblewrap":
        return [*python, str(_WARDEN.parent), text]
    return [*_bubblewrap(settings, launcher), *python, "/judge", text]


def _bubblewrap(settings: Settings, launcher: str) -> list[str]:
    program = shutil.which("bwrap")
    if program is None:
        raise OutsideError("bubblewrap is not installed: install it, or let the judge choose another isolation level")
    arguments = [program, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    arguments += ["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]
    if settings.own_mounts:
        arguments += ["--cap-add", "ALL"]
        arguments += [] if os.getuid() == 0 else ["--unshare-user", "--uid", "0", "--gid", "0"]
    else:
        arguments += ["--unshare-user", "--cap-drop", "ALL"]
    for path in settings.readable:
        link = Path(path)
        if link.is_symlink() and link.parent == Path("/"):
            arguments += ["--symlink", str(link.readlink()), path]
        else:
            arguments += [*_parents(link), "--ro-bind-try", str(link.resolve()), path]
    arguments += ["--proc", "/proc", "--ro-bind", str(_WARDEN), "/judge/warden"]
    arguments += ["--ro-bind", launcher, _LAUNCHER_INSIDE] if launcher else []
    arguments += ["--perms", "0755", "--tmpfs", "/dev"]
    for device in _DEVICES:
        arguments += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    for target, link_path in _LINKS:
        arguments += ["--symlink", target, link_path]
    arguments += ["--remount-ro", "/dev"]
    box = ["--dir", _BOX] if settings.own_mounts else ["--size", str(_BOX_BYTES), "--perms", "0755", "--tmpfs", _BOX]
    return [*arguments, *box, "--remount-ro", "/", "--chdir", "/", "--"]


def _parents(path: Path) -> list[str]:
    # Bubblewrap makes missing directories for the owner alone, and programs run as somebody else.
    parents = [parent for parent in reversed(path.parents) if parent != Path("/")]
    return [part for parent in parents for part in ("--perms", "0755", "--dir", str(parent))]


@functools.cache
def interpreter() -> str:
    """Return the Python that wardens and Python submissions run on: the one below any virtual environment."""
    base = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    return str(base) if base.exists() else os.path.realpath(sys.executable)


@functools.cache
def python_for(isolation: Isolation) -> str:
    """Return the Python that submissions run on: the warden's, or the system's where that one is out of reach.

    Raises:
        OutsideError: the user that programs run as can reach no Python.
    """
    own = interpreter()
    if isolation.level != "limits" or os.getuid() != 0 or _open_to_all(Path(own)):
        return own
    system = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
    if system is None or not _open_to_all(Path(system)):
        raise OutsideError(f"{own} lies in a private directory and there is no other Python: install python3")
    return system


def _open_to_all(path: Path) -> bool:
    return all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents)


@functools.cache
def readable_paths() -> tuple[str, ...]:
    """Return what programs may read: the system's directories, the interpreter, and where compilers live."""
    paths = [path for path in (*_SYSTEM_DIRECTORIES, *_SYSTEM_FILES) if Path(path).exists()]
    paths += sorted(str(path) for path in Path("/etc").glob("java*"))
    for name in (interpreter(), "g++", "pypy3", "java", "javac"):
        found = name if name.startswith("/") else shutil.which(name)
        if found is None:
            continue
        prefix = Path(found).resolve().parent.parent
        if not any(prefix.is_relative_to(path) for path in paths) and prefix != Path("/"):
            paths.append(str(prefix))
    return tuple(paths)


def _user() -> int:
    """Choose an unprivileged user that, but for an unlikely accident, nothing else on this machine runs as.

    The kernel counts a user's processes over all sandboxes, so each warden takes its own.
    """
    for first, count in (_HIGH_USERS, _LOW_USERS):
        uid = first + secrets.randbelow(count)
        if _is_mapped("uid", uid) and _is_mapped("gid", uid):
            return uid
    return _NOBODY


def _is_mapped(kind: str, number: int) -> bool:
    for line in Path(f"/proc/self/{kind}_map").read_text().splitlines():
        first, _, count = (int(field) for field in line.split())
        if first <= number < first + count:
            return True
    return False
