"""A problem package as the document that a code reward reads: its tests, checker, limits and kill groups."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from curation.errors import InputError
from curation.json_reader import JsonTextError, JsonValue, dumps, loads
from curation.judging.kill_groups import read_rewards
from curation.judging.layout import Package, read_package
from curation.records import CheckerSource

REWARDS = "rewards.json"
"""A package's kill groups, as testgen writes them."""


def package_ground_truth(path: Path) -> str:
    """Return a package's ground truth; see `curation.judging.ground_truth`.

    Raises:
        InputError: the package cannot be read, or is of a kind that one document cannot hold.
    """
    package = read_package(path)
    if package.is_interactive or package.passes is not None or package.lacks_validator:
        raise InputError(f"{path}: rewards need a problem whose output alone is checked, by a validator that is there")
    checker, source = _checker(package)
    tests = [
        {"name": test.name, "kind": test.kind, "input": test.input, "output": test.output, "function": None}
        for test in package.tests
    ]
    document: dict[str, object] = {
        "tests": tests,
        "checker": checker,
        "time_limit_s": package.cpu_s,
        "memory_limit_mb": package.memory_mb,
    }
    if source is not None:
        document["checker_source"] = {"kind": source.kind, "source": source.source}
    rewards = _rewards(package)
    if rewards is not None:
        document["rewards"] = rewards
    return dumps(document)


def _checker(package: Package) -> tuple[str, CheckerSource | None]:
    if package.testlib is not None:
        made = CheckerSource.of("testlib", package.testlib.decode(errors="replace"))
        return f"testlib:{made.sha256}", made
    flags = {" ".join(found) for found in package.flags.values()}
    if len(flags) > 1 or len(package.validators) > 1:
        raise InputError(f"{package.path}: its tests are checked in several ways, which one document cannot say")
    words = f" {next(iter(flags), '')}".rstrip()
    if not package.validators:
        return f"tokens{words}", None
    files = {file.path: file.content.decode(errors="replace") for file in package.validators[0]}
    source = CheckerSource.of("validator", dumps(files))
    return f"validator:{source.sha256}{words}", source


def _rewards(package: Package) -> Mapping[str, JsonValue] | None:
    path = package.path / REWARDS
    try:
        value = loads(path.read_bytes().decode())
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} cannot be read ({error}): grow the tests again") from None
    try:
        read_rewards(value, [test.name for test in package.tests])
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return value if isinstance(value, dict) else None
