"""How the warden starts a program: by the compiled launcher or without one, held the same either way."""

from __future__ import annotations

import ctypes
import os
import re
import signal
from pathlib import Path

import pytest
from levels_of_isolation import HELD, need

from curation.judging import levels
from curation.judging.launcher import compiled_launcher
from curation.judging.levels import Isolation, python_for
from curation.judging.sandbox import RunLimits, Sandbox
from curation.judging.warden.launch import Calls, Launcher

LIMITS = RunLimits(cpu_s=10, wall_s=30, memory_mb=256)
TELL = """
import ctypes, os, resource
libc = ctypes.CDLL(None)
header, capabilities = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
print(libc.capget(header, capabilities), *capabilities, 'bounded by', [libc.prctl(24 - 1, n) for n in range(41)])
print('seccomp', libc.prctl(21), 'no new privileges', libc.prctl(39, 0, 0, 0, 0))
print(os.getresuid(), os.getresgid(), os.getgroups(), os.umask(0), os.getsid(0) == os.getpid(), os.getcwd())
limits = [name for name in sorted(dir(resource)) if name.startswith('RLIMIT_')]
print({name: resource.getrlimit(getattr(resource, name)) for name in limits})
opened = []
for number in range(128):
    try: opened.append((number, os.fstat(number).st_mode))
    except OSError: pass
print(opened, sorted(os.environ.items()))
"""


@pytest.fixture(params=["compiled", "without"])
def library(request: pytest.FixtureRequest) -> str:
    """The compiled launcher, and none."""
    if request.param == "without":
        return ""
    return compiled_launcher() or pytest.skip("there is no C++ compiler")


def _execute(calls: Calls, program: str) -> None:
    arguments = (ctypes.c_char_p * 2)(program.encode(), None)
    calls.add("execve", ctypes.create_string_buffer(program.encode()), arguments, (ctypes.c_char_p * 1)(None))


def test_the_calls_are_made_in_order_up_to_the_program(library: str, tmp_path: Path) -> None:
    calls = Calls()
    calls.add("chdir", ctypes.create_string_buffer(b"/no/such/place"), may_fail=True)
    calls.add("chdir", ctypes.create_string_buffer(os.fsencode(tmp_path)))
    calls.add("mkdir", ctypes.create_string_buffer(b"made"), 0o700)
    _execute(calls, "/bin/true")
    here = Path.cwd()
    _, status = os.waitpid(Launcher(library).start(calls), 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert (tmp_path / "made").is_dir()
    assert Path.cwd() == here


def test_the_call_that_fails_is_named_and_nothing_follows_it(library: str, tmp_path: Path) -> None:
    made = tmp_path / "made"
    calls = Calls()
    calls.add("chdir", ctypes.create_string_buffer(b"/no/such/place"))
    calls.add("mkdir", ctypes.create_string_buffer(os.fsencode(made)), 0o700)
    _execute(calls, "/bin/true")
    with pytest.raises(OSError, match="chdir: No such file"):
        Launcher(library).start(calls)
    missing = Calls()
    _execute(missing, "/no/such/program")
    with pytest.raises(OSError, match="execve: No such file"):
        Launcher(library).start(missing)
    assert not made.exists()
    for _ in range(2):
        assert os.waitstatus_to_exitcode(os.wait()[1]) == 127


def test_the_time_taken_before_the_program_is_told(library: str) -> None:
    started = Launcher(library)
    calls = Calls()
    started.take_time(calls)
    _execute(calls, "/bin/true")
    os.waitpid(started.start(calls), 0)
    assert 0 < started.used_s < 5


def test_a_library_that_cannot_be_loaded_is_as_good_as_none(tmp_path: Path) -> None:
    broken = tmp_path / "launch.so"
    broken.write_bytes(b"no library")
    calls = Calls()
    _execute(calls, "/bin/true")
    _, status = os.waitpid(Launcher(str(broken)).start(calls), 0)
    assert status == 0


@pytest.mark.parametrize("isolation", HELD)
def test_programs_are_held_the_same_without_a_compiler(isolation: Isolation, monkeypatch: pytest.MonkeyPatch) -> None:
    need(isolation)
    user = levels._user()
    monkeypatch.setattr(levels, "_user", lambda: user)
    told = []
    for found in (compiled_launcher(), ""):
        monkeypatch.setattr(levels, "compiled_launcher", lambda found=found: found)
        with Sandbox(isolation) as sandbox:
            python = python_for(isolation)
            output = sandbox.run([python, "-S", "-c", TELL], LIMITS).output.decode()
            told.append(re.sub("curation-cell-[0-9a-f]+", "box", output))
            ended = sandbox.run([python, "-S", "-c", "import os; os.fork(); os.kill(0, 9)"], LIMITS)
            assert ended.exit_code == -signal.SIGKILL
            assert sandbox.run(["sh", "-c", "kill -PIPE $$"], LIMITS).exit_code == -signal.SIGPIPE
            assert sandbox.run(["true"], LIMITS).exit_code == 0
            assert "No such file" in (sandbox.run(["no-such-program"], LIMITS).failure or "")
    assert f"seccomp {2 if isolation.seccomp else 0} no new privileges 1" in told[0]
    assert "0 0 0 0 0 0 0 bounded by" in told[0]
    assert told[0] == told[1]
