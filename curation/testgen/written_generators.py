"""Generators that are written on request: first for the problem, then against wrong programs that survive.

Each response brings a program, command lines for it, and maybe inputs written by hand (HardTests, arXiv 2505.24098;
CodeContests+, arXiv 2506.05817). What became of earlier inputs goes back to the writer: those that are not valid, those
on which accepted programs failed or disagreed, and the code of a wrong program that all tests let pass.
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from curation.json_reader import dumps
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused
from curation.judging.grading import code_blocks
from curation.judging.testlib import generate
from curation.judging.writing import LANGUAGES, ProgramKind, Source, Workshop, Writer, Written, program_in, quoted
from curation.testgen.answers import Candidate, Rejected
from curation.testgen.split import Labelled

_MOST_COMMANDS = 40
_MOST_ARGUMENTS = 40
_MOST_BY_HAND = 20
_LARGE_BYTES = 100_000
_TOLD = 5
_TARGET_CHARACTERS = 20_000
_MOST_FAILURES = 3
_ORIGINS = ("generator-", "by hand")
"""How the origins of inputs begin that a writer made."""

_COMMANDS, _INPUT = "commands", "input"
"""The hints of fenced blocks that hold no program."""


@dataclass(frozen=True, slots=True)
class GeneratorRecord:
    """A generator, or inputs by hand, and what became of them.

    Attributes:
        name: its name, with which the names of its inputs begin.
        language: ``testlib``, a language, or empty where there is no program.
        sha256: of its source.
        aimed_at: the wrong program that it was written against; empty for none.
        commands: how many command lines came with it.
        inputs: how many inputs it made.
        reason: why it, or the first command line that failed, gave nothing; empty where all did.
    """

    name: str
    language: str
    sha256: str
    aimed_at: str
    commands: int
    inputs: int
    reason: str


@dataclass
class WrittenGenerators:
    """All generators of a problem.

    Attributes:
        workshop: where they are compiled and run.
        writer: who writes.
        facts: the problem's statement and samples.
        records: what became of each.
        sources: their programs, by name.
    """

    workshop: Workshop
    writer: Writer
    facts: Mapping[str, object]
    records: list[GeneratorRecord] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)

    def first(self, wanted: int) -> list[Candidate]:
        """Have generators written for the problem, and return their inputs; call it from outside the workers.

        Raises:
            OutsideError: the writer cannot be reached, or no sandbox can be started.
        """
        return self._inputs("generator", [self._request(place) for place in range(wanted)], [""] * wanted)

    def against(self, survivors: Sequence[Labelled], rejected: Sequence[Rejected], turn: int) -> list[Candidate]:
        """Have generators written against wrong programs; arguments beside are what became of earlier inputs.

        Raises:
            OutsideError: as `first`.
        """
        told = self._told(rejected)
        requests = [
            {
                **self._request(place + turn),
                **told,
                "target": one.program.sources[0].content.decode(errors="replace")[:_TARGET_CHARACTERS],
                "target_kind": one.kind.replace("_", " "),
            }
            for place, one in enumerate(survivors)
        ]
        return self._inputs("attack", requests, [one.name for one in survivors])

    def _request(self, place: int) -> dict[str, object]:
        return {
            **self.facts,
            "language": LANGUAGES[(place + 1) % len(LANGUAGES)],
            "most_commands": _MOST_COMMANDS,
            "target": "",
            "target_kind": "",
            "refused": [],
            "invalid": [],
            "bad": [],
        }

    def _told(self, rejected: Sequence[Rejected]) -> dict[str, object]:
        own = [one for one in rejected if one.origin.startswith(_ORIGINS)]
        invalid = [f"{quoted(one.origin)}: {quoted(one.reason)}" for one in own if one.rule == "not_valid"]
        bad = [f"{quoted(one.origin)}: {quoted(one.reason)}" for one in own if one.rule != "not_valid"]
        refused = [quoted(one.reason) for one in self.records if one.reason]
        return {"invalid": invalid[-_TOLD:], "bad": bad[-_TOLD:], "refused": refused[-_TOLD:]}

    def _inputs(
        self, kind: ProgramKind, requests: Sequence[Mapping[str, object]], aims: Sequence[str]
    ) -> list[Candidate]:
        answers = self.writer.write(kind, requests)
        numbered = [
            (len(self.records) + place, aim, one) for place, (aim, one) in enumerate(zip(aims, answers, strict=True))
        ]
        made: list[Candidate] = []
        for record, source, candidates in self.workshop.bench.map(partial(_run_response, self.workshop), numbered):
            self.records.append(record)
            if source is not None:
                self.sources[record.name] = source
            made += candidates
        return made


def _run_response(
    workshop: Workshop, item: tuple[int, str, Written | str]
) -> tuple[GeneratorRecord, Source | None, list[Candidate]]:
    """Return what one response gives; call it on a worker."""
    number, aim, answer = item
    name = f"generator-{number + 1:02}"
    if isinstance(answer, str):
        return GeneratorRecord(name, "", "", aim, 0, 0, answer), None, []
    blocks = code_blocks(answer.text)
    made = [
        Candidate(
            f"w{number + 1:02}-h{place:02}", text, f"by hand in {name}", len(text) > _LARGE_BYTES, by_grammar=False
        )
        for place, (_, text) in enumerate([one for one in blocks if one[0] == _INPUT][:_MOST_BY_HAND])
    ]
    source = program_in([one for one in blocks if one[0] not in (_INPUT, _COMMANDS)])
    lines = [line for hint, text in blocks if hint == _COMMANDS for line in text.splitlines() if line.strip()]
    lines = list(dict.fromkeys(lines))[:_MOST_COMMANDS]
    reason = ""
    if source is None:
        reason = "" if made else "the response holds no program"
    else:
        program = workshop.compile(source)
        if isinstance(program, Refused):
            reason = f"the program cannot be used: {quoted(program.message)}"
        else:
            found, reason = _run_commands(workshop, program, name, lines)
            made += [replace(one, name=f"w{number + 1:02}-{place:02}") for place, one in enumerate(found)]
    language, sha256 = ("", "") if source is None else (source.language, source.sha256)
    return GeneratorRecord(name, language, sha256, aim, len(lines), len(made), reason), source, made


def _run_commands(
    workshop: Workshop, program: Prepared, name: str, lines: Sequence[str]
) -> tuple[list[Candidate], str]:
    made: list[Candidate] = []
    first_reason = "" if lines else "no command lines came with the program"
    failures = 0
    for line in lines:
        content, reason = _run_command(workshop, program, line, is_first=line == lines[0])
        if content is None:
            first_reason = first_reason or f"{quoted(line, 100)}: {reason}"
            failures += 1
            # A program that never ends would take its limit once for each command line.
            if failures == _MOST_FAILURES:
                break
            continue
        text = content.decode(errors="surrogateescape")
        made.append(Candidate("", text, f"{name}: {quoted(line, 100)}", len(text) > _LARGE_BYTES, by_grammar=False))
    return made, first_reason


def _run_command(workshop: Workshop, program: Prepared, line: str, *, is_first: bool) -> tuple[bytes | None, str]:
    try:
        arguments = shlex.split(line)
    except ValueError as error:
        return None, f"the command line cannot be read ({error})"
    if len(arguments) > _MOST_ARGUMENTS or "\0" in line:
        return None, f"a command line has at most {_MOST_ARGUMENTS} arguments and no NUL"
    bench = workshop.bench
    content, reason = _generated(bench, workshop, program, arguments)
    if content is not None and is_first and _run(bench, workshop, program, arguments)[0] != content:
        return None, "the same command line gives another input the second time"
    return content, reason


def _generated(
    bench: Bench, workshop: Workshop, program: Prepared, arguments: Sequence[str]
) -> tuple[bytes | None, str]:
    key = (
        "generated-" + hashlib.sha256(dumps([program.key, list(arguments), repr(workshop.limits)]).encode()).hexdigest()
    )
    kept = bench.store.program(key)
    if kept is not None:
        return kept, ""
    content, reason = _run(bench, workshop, program, arguments)
    if content is not None:
        bench.store.keep_program(key, content)
    return content, reason


def _run(bench: Bench, workshop: Workshop, program: Prepared, arguments: Sequence[str]) -> tuple[bytes | None, str]:
    made = generate(bench.sandbox(), program, arguments, workshop.limits)
    if made.content == b"":
        return None, "it wrote nothing"
    return made.content, quoted(made.message)
