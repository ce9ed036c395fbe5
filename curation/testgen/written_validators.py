"""Validators that are written on request, and the choice among them by tests of their own.

Several are written without a look at each other (AutoCode, arXiv 2510.12803; CodeContests+, arXiv 2506.05817). One that
rejects a known input, accepts a near miss that is wrong for sure, or fails, is refused and may be written again with
that reason. Of the others the one is chosen that agrees most with the rest, and with the inferred grammar, on near
misses and on inputs from the grammar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from curation.judging.compilation import Refused
from curation.judging.grading import code_blocks
from curation.judging.testlib import Validation
from curation.judging.writing import LANGUAGES, Source, Workshop, Writer, program_in, quoted
from curation.testgen.rules import Rules
from curation.testgen.validators import InputValidator, misses_of
from curation.testgen.validity import fault

_COMPARED_BYTES = 4 << 20


@dataclass(frozen=True, slots=True)
class ValidatorTrial:
    """What the tests of one written validator found.

    Attributes:
        name: its name.
        sha256: of its source.
        outcome: ``chosen``, ``sound``, or ``refused``.
        reason: what speaks against it first.
        known, known_accepted: known inputs, and how many of them it accepts.
        misses, misses_rejected: near misses that are wrong for sure, and how many of them it rejects.
        compared, agreed: inputs on which most others say the same, and on how many of them it says so too.
    """

    name: str
    sha256: str
    outcome: Literal["chosen", "sound", "refused"]
    reason: str
    known: int = 0
    known_accepted: int = 0
    misses: int = 0
    misses_rejected: int = 0
    compared: int = 0
    agreed: int = 0


@dataclass(frozen=True, slots=True)
class ValidatorChoice:
    """The chosen validator, None where there is none; every trial, the chosen one first; and all sources."""

    chosen: InputValidator | None
    trials: tuple[ValidatorTrial, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What validators are tested with.

    Attributes:
        rules: the inferred grammar; None where there is none.
        known: inputs that are valid.
        missed: those of them whose near misses are tried.
        others: inputs of which nothing is sure, on which validators are compared.
    """

    rules: Rules | None
    known: Sequence[str]
    missed: Sequence[str]
    others: Sequence[str]


def write_validators(
    workshop: Workshop, writer: Writer, facts: Mapping[str, object], evidence: Evidence, wanted: int, repairs: int
) -> ValidatorChoice:
    """Have validators written, and choose one; call it from outside the workers.

    Args:
        workshop: where they are compiled and run.
        writer: who writes.
        facts: the problem's statement and samples.
        evidence: what they are tested with.
        wanted: how many to write.
        repairs: how often those that were refused are written again, while none is sound.

    Raises:
        OutsideError: the writer cannot be reached, or no sandbox can be started.
    """
    asked: list[Mapping[str, object]] = [
        {**facts, "language": LANGUAGES[place % len(LANGUAGES)], "refused": "", "reason": ""} for place in range(wanted)
    ]
    trials: list[ValidatorTrial] = []
    sound: list[tuple[InputValidator, ValidatorTrial]] = []
    sources: dict[str, Source] = {}
    for _ in range(repairs + 1):
        answers = writer.write("validator", asked)
        found = [program_in(code_blocks(one.text)) if not isinstance(one, str) else None for one in answers]
        tried = list(workshop.bench.map(partial(_try, workshop, evidence), [one for one in found if one is not None]))
        told = iter(tried)
        again: list[Mapping[str, object]] = []
        for request, answer, source in zip(asked, answers, found, strict=True):
            if source is None:
                reason = answer if isinstance(answer, str) else "the response holds no program"
                trials.append(ValidatorTrial("none", "", "refused", reason))
                refused = ""
            else:
                validator, trial = next(told)
                refused, reason = source.code, trial.reason
                if source.sha256 in sources:
                    trials.append(replace(trial, outcome="refused", reason="it was written before"))
                elif validator is None:
                    trials.append(trial)
                else:
                    sound.append((validator, trial))
                sources[source.sha256] = source
            again.append({**request, "refused": refused, "reason": reason})
        if sound:
            break
        asked = [one for one in again if one["refused"]]
        if not asked:
            break
    chosen, compared = _choose(workshop, evidence, sound)
    return ValidatorChoice(chosen, (*compared, *trials), tuple(sources.values()))


def _try(workshop: Workshop, evidence: Evidence, source: Source) -> tuple[InputValidator | None, ValidatorTrial]:
    """Test one validator on a worker; return it where nothing speaks against it."""
    refused = partial(ValidatorTrial, source.label, source.sha256, "refused")
    program = workshop.compile(source)
    if isinstance(program, Refused):
        return None, refused(f"it cannot be used: {quoted(program.message)}")
    validator = InputValidator(source.label, program, workshop.limits)
    known = 0
    for text in evidence.known:
        said = validator.look_at(workshop.bench, text)
        if said.is_valid is not True:
            verb = "fails on" if said.is_valid is None else "rejects"
            reason = f"it {verb} a known input, {quoted(text, 120)!r}: {quoted(said.message)}"
            return None, refused(reason, len(evidence.known), known)
        known += 1
    misses = [miss for miss in misses_of(evidence.rules, evidence.missed) if miss.is_sure]
    accepted: dict[str, None] = {}
    rejected = 0
    for miss in misses:
        said = validator.look_at(workshop.bench, miss.text)
        if said.is_valid is None:
            reason = f"it fails on an input that is not valid ({miss.kind}): {quoted(said.message)}"
            return None, refused(reason, known, known, len(misses), rejected)
        rejected += not said.is_valid
        if said.is_valid:
            accepted[miss.kind] = None
    if accepted:
        reason = f"it accepts inputs that are not valid: {', '.join(accepted)}"
        return None, refused(reason, known, known, len(misses), rejected)
    return validator, ValidatorTrial(source.label, source.sha256, "sound", "", known, known, len(misses), rejected)


def _choose(
    workshop: Workshop, evidence: Evidence, sound: Sequence[tuple[InputValidator, ValidatorTrial]]
) -> tuple[InputValidator | None, list[ValidatorTrial]]:
    if not sound:
        return None, []
    unsure = [miss.text for miss in misses_of(evidence.rules, evidence.missed) if not miss.is_sure]
    texts = [text for text in [*evidence.others, *unsure] if len(text) <= _COMPARED_BYTES]
    said = [list(_said(workshop, validator, texts)) for validator, _ in sound]
    grammar: list[list[bool | None]] = []
    if evidence.rules is not None:
        grammar.append([fault(evidence.rules, text) is None for text in texts])
    scored: list[tuple[InputValidator, ValidatorTrial]] = []
    for place, (validator, trial) in enumerate(sound):
        others = [*said[:place], *said[place + 1 :], *grammar]
        majority = [_majority([one[index] for one in others]) for index in range(len(texts))]
        pairs = [(mine, most) for mine, most in zip(said[place], majority, strict=True) if most is not None]
        agreed = sum(mine is most for mine, most in pairs)
        scored.append((validator, replace(trial, compared=len(pairs), agreed=agreed)))
    # Of equals the first: which one was written first is fixed by the samples' order.
    scored.sort(key=lambda one: -one[1].agreed / max(1, one[1].compared))
    best = scored[0]
    return best[0], [replace(best[1], outcome="chosen"), *(trial for _, trial in scored[1:])]


def _said(workshop: Workshop, validator: InputValidator, texts: Sequence[str]) -> Iterator[bool | None]:
    look: Callable[[str], Validation] = partial(validator.look_at, workshop.bench)
    return (one.is_valid for one in workshop.bench.map(look, texts))


def _majority(said: Sequence[bool | None]) -> bool | None:
    """Return what more say than not; None where nobody says anything or both sides are equal."""
    votes = sum(1 if one else -1 for one in said if one is not None)
    return None if votes == 0 else votes > 0
