"""What a sandbox gives a program, what it takes from it, and what is left afterwards: at every level there is."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from levels_of_isolation import CLOSED, HELD, need

from curation.judging.bench import Bench
from curation.judging.levels import Isolation, python_for
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile
from curation.judging.warden import watch

LIMITS = RunLimits(cpu_s=10, wall_s=30, memory_mb=256)
SHORT = RunLimits(cpu_s=0.4, wall_s=3, memory_mb=128, output_mb=16, disk_mb=32, file_mb=16)


DEAF = """
import signal, time
for number in range(1, 32):
    try:
        signal.signal(number, signal.SIG_IGN)
    except OSError:
        pass
time.sleep(1000)
"""


@pytest.fixture(params=HELD)
def box(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox at each level."""
    with Sandbox(need(request.param)) as sandbox:
        yield sandbox


@pytest.fixture(params=CLOSED)
def closed(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """A sandbox at each level with namespaces."""
    with Sandbox(need(request.param)) as sandbox:
        yield sandbox


def run(sandbox: Sandbox, code: str, limits: RunLimits = LIMITS, **more: object) -> Execution:
    return sandbox.run([python_for(sandbox.isolation), "-S", "-c", code], limits, **more)


def assert_healthy(sandbox: Sandbox) -> None:
    """The next program runs, starts with nothing, and no process of the last one is left."""
    execution = run(sandbox, "import os; print(os.listdir('.'), os.listdir(os.environ['TMPDIR']))")
    assert (execution.exit_code, execution.output) == (0, b"[] []\n"), execution
    process = sandbox._warden.process
    living = [] if process is None else watch.tree(process.pid)
    assert all(b"warden" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in living)
    assert len(living) <= 1


def test_a_program_gets_its_input_and_files_and_gives_output_files_and_status(box: Sandbox) -> None:
    code = (
        "import sys, os\n"
        "data = sys.stdin.buffer.read()\n"
        "sys.stdout.buffer.write(data[::-1] + open('in/given.txt', 'rb').read())\n"
        "sys.stderr.write('told')\n"
        "open('made', 'wb').write(b'x' * 5)\n"
        "open('out/made', 'wb').write(b'y' * 5)\n"
        "sys.exit(7)\n"
    )
    execution = run(
        box,
        code,
        files=[WorkFile("in/given.txt", b"\xff\x00given"), WorkFile("out/", b"")],
        standard_input=b"abc",
        collect={"made": 3, "out/made": 100, "absent": 10},
    )
    assert execution.exit_code == 7
    assert execution.output == b"cba\xff\x00given"
    assert execution.error == b"told"
    assert execution.files == {"made": b"xxx", "out/made": b"yyyyy"}
    assert execution.stopped is None
    assert execution.failure is None
    assert 0 < execution.cpu_s < 5


def test_a_signal_is_told_from_an_exit_status(box: Sandbox) -> None:
    assert run(box, "import os; os.abort()").exit_code == -signal.SIGABRT
    assert run(box, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)").exit_code == -signal.SIGKILL


def test_a_program_that_is_not_there_is_the_judges_failure(box: Sandbox) -> None:
    execution = box.run(["/no/such/program"], LIMITS)
    assert execution.exit_code is None
    assert "No such file" in (execution.failure or "") or "denied" in (execution.failure or "")
    assert_healthy(box)


def test_ten_megabytes_pass_and_a_flood_is_stopped(box: Sandbox) -> None:
    small = run(box, "import sys; sys.stdout.write('x' * 10_000_000)", SHORT)
    assert len(small.output) == 10_000_000
    assert small.exit_code == 0
    flood = "import signal, os\nsignal.signal(signal.SIGPIPE, signal.SIG_IGN)\nwhile True: os.write(1, b'x' * 65536)"
    assert run(box, flood, SHORT).stopped == "output"
    errors = run(box, "import os\nfor _ in range(100): os.write(2, b'x' * 65536)", SHORT)
    assert errors.exit_code == 0
    assert len(errors.error) == 1 << 20
    assert_healthy(box)


def test_endless_loops_end_at_the_cpu_limit_over_all_processes(box: Sandbox) -> None:
    assert run(box, "while True: pass", SHORT).stopped == "cpu"
    several = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    execution = run(box, several, SHORT)
    assert execution.stopped == "cpu"
    assert execution.cpu_s < 3
    assert_healthy(box)


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(1000)",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
        DEAF,
    ],
    ids=["sleep", "stopped", "deaf"],
)
def test_idle_programs_end_at_the_wall_limit(box: Sandbox, code: str) -> None:
    assert run(box, code, RunLimits(cpu_s=1, wall_s=0.5, memory_mb=128)).stopped == "wall"
    assert_healthy(box)


@pytest.mark.parametrize(
    "code",
    [
        "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
        "import os\nfor _ in range(3): os.fork()\nkept = [bytearray(1 << 20) for _ in range(40)]\nwhile True: pass",
        "import mmap\nkept = mmap.mmap(-1, 1 << 28)\nfor at in range(0, 1 << 28, 4096): kept[at] = 1\nwhile True: pass",
    ],
    ids=["one", "tree", "shared"],
)
def test_memory_is_bounded_for_the_whole_tree(box: Sandbox, code: str) -> None:
    execution = run(box, code, RunLimits(cpu_s=10, wall_s=20, memory_mb=128))
    assert execution.stopped == "memory"
    assert execution.memory_mb > 128
    assert_healthy(box)


def test_processes_that_share_memory_count_it_once(box: Sandbox) -> None:
    code = "import os, time\nkept = b'x' * (80 << 20)\nfor _ in range(2): os.fork()\ntime.sleep(0.3)"
    assert run(box, code, RunLimits(cpu_s=10, wall_s=20, memory_mb=128)).exit_code == 0


def test_memory_that_belongs_to_no_process_is_not_to_be_had(box: Sandbox) -> None:
    assert b"OSError" in run(box, "import os; os.memfd_create('hidden')").error


def test_a_fork_bomb_is_contained(box: Sandbox) -> None:
    code = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass"
    execution = run(box, code, SHORT)
    assert execution.stopped in ("cpu", "wall", "processes", "memory")
    assert_healthy(box)


def test_the_number_of_processes_is_bounded(box: Sandbox) -> None:
    code = (
        "import os, sys, time\nmade = 0\n"
        "try:\n  while made < 200:\n    if os.fork() == 0: time.sleep(20)\n    made += 1\n"
        "except OSError: pass\nprint(made)"
    )
    execution = run(box, code, RunLimits(cpu_s=5, wall_s=20, memory_mb=1024, processes=20))
    assert execution.stopped == "processes" or 10 <= int(execution.output) <= 20
    assert_healthy(box)


def test_disk_is_bounded(box: Sandbox) -> None:
    many = (
        "n = 0\nwhile True:\n  with open(f'f{n}', 'wb') as file: file.write(b'x' * (1 << 20))\n  n += 1\n"
        "  import time; time.sleep(0.005)"
    )
    execution = run(box, many, RunLimits(cpu_s=5, wall_s=20, memory_mb=256, disk_mb=32))
    assert execution.stopped == "disk" or b"No space left" in execution.error
    one = run(box, "open('big', 'wb').write(b'x' * (20 << 20))", SHORT)
    assert one.exit_code in (1, -signal.SIGXFSZ)
    assert_healthy(box)


def test_a_daemon_dies_with_the_run(box: Sandbox) -> None:
    code = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "  os.setsid()\n"
        "  if os.fork() == 0:\n"
        "    time.sleep(1000)\n"
        "  os._exit(0)\n"
        "os.wait()\nprint('parent done')"
    )
    began = time.monotonic()
    execution = run(box, code)
    assert execution.output == b"parent done\n"
    assert execution.exit_code == 0
    assert time.monotonic() - began < LIMITS.wall_s
    assert_healthy(box)


def test_nothing_passes_from_one_run_to_the_next(box: Sandbox) -> None:
    name = f"left-{uuid.uuid4().hex}"
    places = "places = ('.', os.environ['TMPDIR'], '/dev/shm', '/tmp', '/')\n"
    leave = (
        f"import os\n{places}"
        "for place in places:\n"
        f"  try: open(os.path.join(place, {name!r}), 'w').write('secret')\n"
        "  except OSError: pass\n"
        "os.mkdir('locked'); os.chmod('locked', 0)\n"
    )
    assert run(box, leave).exit_code == 0
    find = f"import os\n{places}print([place for place in places if os.path.exists(os.path.join(place, {name!r}))])"
    assert run(box, find).output == b"[]\n"
    assert_healthy(box)


def test_secrets_of_the_host_are_out_of_reach(box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HUB_TOKEN", "hush-hush")
    answer = tmp_path / "1.ans"
    answer.write_text("the answer")
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    code = (
        "import os, glob\n"
        f"try: print(open({str(answer)!r}).read())\nexcept OSError as error: print(type(error).__name__)\n"
        "print('hush' in str(dict(os.environ)))\n"
        "seen = b''\n"
        "for path in glob.glob('/proc/[0-9]*/environ'):\n"
        "  try: seen += open(path, 'rb').read()\n"
        "  except OSError: pass\n"
        "print(b'hush-hush' in seen)\n"
    )
    output = run(box, code).output.decode().split()
    assert output[0] in ("FileNotFoundError", "PermissionError")
    assert output[1:] == ["False", "False"]


def test_other_processes_are_out_of_sight(closed: Sandbox) -> None:
    code = "import os; print([pid for pid in os.listdir('/proc') if pid.isdigit() and int(pid) != os.getpid()])"
    visible = run(closed, code).output
    assert visible in (b"[]\n", b"['1']\n")


def test_there_is_no_network(box: Sandbox, tmp_path: Path) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    local = socket.socket(socket.AF_UNIX)
    local.bind("\0curation-test-" + tmp_path.name)
    local.listen()
    port = listener.getsockname()[1]
    code = (
        "import socket\n"
        "def attempt(family, kind, address, data=b''):\n"
        "  try:\n"
        "    s = socket.socket(family, kind)\n"
        "    s.settimeout(1)\n"
        "    s.connect(address); s.send(b'x')\n"
        "    return 'reached'\n"
        "  except OSError: return 'refused'\n"
        f"print(attempt(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', {port})))\n"
        f"print(attempt(socket.AF_INET, socket.SOCK_DGRAM, ('192.0.2.1', 53)))\n"
        f"print(attempt(socket.AF_UNIX, socket.SOCK_STREAM, '\\0curation-test-{tmp_path.name}'))\n"
    )
    with listener, local:
        assert run(box, code).output.split() == [b"refused"] * 3


def test_the_input_cannot_be_changed(box: Sandbox) -> None:
    code = (
        "import os\n"
        "try:\n"
        "  there = os.open('/proc/self/fd/0', os.O_RDWR)\n"
        "  os.write(there, b'XXXX')\n"
        "  print('changed')\n"
        "except OSError: print('kept')\n"
    )
    assert run(box, code, standard_input=b"input").output == b"kept\n"


def test_links_that_point_out_are_not_followed(box: Sandbox) -> None:
    code = (
        "import os\n"
        "os.symlink('/etc/ld.so.cache', 'out')\n"
        "os.symlink('/etc', 'away')\n"
        "os.mkfifo('pipe')\n"
        "os.mkdir('directory')\n"
        "open('real', 'w').write('ok')\n"
        "os.link('real', 'hard')\n"
    )
    wanted = dict.fromkeys(("out", "away/ld.so.cache", "pipe", "directory", "real", "hard"), 100)
    execution = run(box, code, collect=wanted)
    assert execution.files == {"real": b"ok", "hard": b"ok"}
    assert_healthy(box)


def test_the_warden_cannot_be_killed_traced_or_stopped(box: Sandbox) -> None:
    code = (
        "import ctypes, os, signal\n"
        "parent = os.getppid()\n"
        "for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT):\n"
        "  for target in (parent, 1):\n"
        "    try: os.kill(target, number)\n"
        "    except OSError: pass\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.ptrace(16, parent, 0, 0), libc.ptrace(16, 1, 0, 0))\n"
        "for target in (parent, 1):\n"
        "  try: open(f'/proc/{target}/mem', 'r+b'); print('opened')\n"
        "  except OSError: print('refused')\n"
    )
    execution = run(box, code)
    assert execution.output == b"-1 -1\nrefused\nrefused\n"
    assert execution.exit_code == 0
    everybody = run(box, "import os, signal\nos.kill(-1, signal.SIGKILL)\nprint('alive')")
    assert everybody.failure is None
    assert_healthy(box)


def test_namespaces_and_mounts_cannot_be_made(box: Sandbox) -> None:
    code = (
        "import ctypes\n"
        "libc = ctypes.CDLL(None)\n"
        "print(libc.unshare(0x10000000), libc.unshare(0x20000), libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0))\n"
        "print(libc.syscall(56, 0x10000011, 0, 0, 0, 0) if __import__('os').uname().machine == 'x86_64' else -1)\n"
    )
    assert run(box, code).output == b"-1 -1 -1\n-1\n"


def test_the_system_is_read_only(closed: Sandbox) -> None:
    code = (
        "import os\n"
        "for place in ('/', '/usr', '/usr/bin', '/etc', '/dev', '/proc'):\n"
        "  try: open(os.path.join(place, 'mine'), 'w'); print(place)\n"
        "  except OSError: pass\n"
        "print(sorted(set(os.listdir('/')) & {'home', 'work', 'var', 'mnt', 'srv', 'run', 'sys', 'boot'}))\n"
    )
    assert run(closed, code).output == b"[]\n"


def test_a_deep_recursion_has_a_stack_as_large_as_memory(box: Sandbox) -> None:
    code = (
        "import sys\nsys.setrecursionlimit(10**6)\n"
        "class A:\n  def __getattr__(self, name): return getattr(self, name + 'x') if len(name) < 40000 else 1\n"
        "print(A().x)\n"
    )
    execution = run(box, code, RunLimits(cpu_s=20, wall_s=60, memory_mb=1024))
    assert execution.output == b"1\n", execution


def test_two_hundred_megabytes_of_output_come_whole(closed: Sandbox) -> None:
    code = "import sys\nfor _ in range(200): sys.stdout.write('0123456789abcdef' * 65536)"
    execution = run(closed, code, RunLimits(cpu_s=20, wall_s=60, memory_mb=128))
    assert len(execution.output) == 200 << 20
    assert execution.output[-16:] == b"0123456789abcdef"


def test_many_sandboxes_work_side_by_side(box: Sandbox) -> None:
    found: list[bytes] = []

    def work(number: int) -> None:
        with Sandbox(box.isolation) as own:
            found.extend(run(own, f"print({number})").output for _ in range(3))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(b"%d\n" % number for number in range(4) for _ in range(3))


def test_more_programs_than_are_kept_lie_in_one_directory(box: Sandbox) -> None:
    files = [WorkFile(f"p{number}", b"#!/bin/sh\necho %d\n" % number, executable=True) for number in range(7)]
    command = ["sh", "-c", "for p in p*; do ./$p; done"]
    for given in (files, files[::-1], files[:2]):
        told = sorted(box.run(command, LIMITS, files=given).output.split())
        assert told == sorted(file.content.split()[-1] for file in given)


def test_a_warden_that_ended_between_runs_is_replaced(closed: Sandbox) -> None:
    assert run(closed, "print(1)").output == b"1\n"
    process = closed._warden.process
    if process is not None:
        process.kill()
        process.wait()
    assert run(closed, "print(2)").output == b"2\n"


def test_no_more_programs_run_at_a_time_than_there_are_workers() -> None:
    code = "import time; began = time.monotonic(); time.sleep(0.05); print(began, time.monotonic())"
    with Bench(workers=2) as bench:
        python = python_for(bench.isolation)

        def work(_: int) -> list[float]:
            return [float(moment) for moment in bench.sandbox().run([python, "-S", "-c", code], LIMITS).output.split()]

        spans = list(bench.map(work, range(12)))
    assert max(sum(began <= other[0] < ended for other in spans) for began, ended in spans) == 2


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory for temporary files that programs of another user can reach."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.mark.parametrize("isolation", HELD)
def test_a_killed_judge_leaves_no_process(isolation: Isolation, place: Path) -> None:
    need(isolation)
    mark = f"mark-{uuid.uuid4().hex}"
    sleeping = f"import os, time, sys; sys.argv.append({mark!r}); os.fork(); os.fork(); time.sleep(600)"
    judge = (
        "from curation.judging.levels import Isolation, python_for\n"
        "from curation.judging.sandbox import RunLimits, Sandbox\n"
        f"isolation = {isolation!r}\n"
        "with Sandbox(isolation) as sandbox:\n"
        "    print('started', flush=True)\n"
        f"    sandbox.run([python_for(isolation), '-S', '-c', {sleeping!r}], RunLimits(600, 600, 256))\n"
    )
    environment = {**os.environ, "TMPDIR": str(place)}
    process = subprocess.Popen([sys.executable, "-c", judge], stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 20
    while len(_processes_with(mark, process.pid)) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(_processes_with(mark, process.pid)) >= 4
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    deadline = time.monotonic() + 20
    while _processes_with(mark, process.pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert _processes_with(mark, process.pid) == []
    while list(place.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert list(place.iterdir()) == []


def _processes_with(mark: str, but: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes() and int(path.parent.name) != but:
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
