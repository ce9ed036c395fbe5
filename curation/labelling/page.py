"""The pages that an annotator sees: one case, and the list of all. They escape what they show and work offline."""

from __future__ import annotations

from dataclasses import dataclass

import jinja2
from markupsafe import Markup

from curation import bundled
from curation.labelling.acts import Act
from curation.labelling.book import LabelBook, status
from curation.labelling.cases import Case
from curation.recipe import FAILURE_TYPES
from curation.typeset import typeset

MEANINGS = {
    "wrong_answer": "another answer is right",
    "missing_condition": "something needed is not stated",
    "contradiction": "what is stated contradicts itself",
    "ambiguous": "it can be read in several ways",
    "several_answers": "more than one answer is right",
    "multi_part": "it asks for several things",
    "needs_figure": "what it refers to is not there",
    "not_checkable": "no program can compare the answer",
}
"""What each of `recipe.FAILURE_TYPES` means, for the page."""

_TITLE_CHARACTERS = 90


@dataclass(frozen=True, slots=True)
class Shown:
    """A case as a page shows it."""

    number: int
    id: str
    statement: Markup
    answer: Markup | None
    solution: Markup | None
    status: str
    failure_type: str | None
    note: str
    seen: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A case as the list shows it."""

    number: int
    id: str
    status: str
    failure_type: str | None
    begins: str


class Pages:
    """Renders the pages of one book."""

    def __init__(self, book: LabelBook, base: str) -> None:
        """Take the book, and the path under which the pages stand, without a slash at its end."""
        self._book, self._base = book, base
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(bundled.folder("templates")),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._template = environment.get_template("label_page.html.j2")

    def case(self, place: int, nonce: str, message: str = "", alert: str = "") -> str:
        """Return the page of the case at a 0-based place.

        Args:
            place: the case's.
            nonce: lets this page's own style and script run.
            message: what was just done.
            alert: what went wrong.
        """
        case = self._book.cases[place]
        act = self._book.standing.of(case.id)
        return self._render(nonce, message, alert, shown=_shown(case, place, act, self._book.standing.changes(case.id)))

    def _listed(self, place: int) -> Listed:
        case = self._book.cases[place]
        act = self._book.standing.of(case.id)
        begins = " ".join(case.statement[: 2 * _TITLE_CHARACTERS].split())[:_TITLE_CHARACTERS]
        return Listed(place + 1, case.id, status(act), act.failure_type if act else None, begins)

    def _last(self) -> Listed | None:
        last = self._book.standing.last
        return None if last is None else self._listed(self._book.place(last))

    def all_cases(self, nonce: str, message: str = "", alert: str = "") -> str:
        """Return the page that lists all cases."""
        listed = [self._listed(place) for place in range(len(self._book.cases))]
        return self._render(nonce, message, alert, listed=listed)

    def _render(
        self, nonce: str, message: str, alert: str, shown: Shown | None = None, listed: list[Listed] | None = None
    ) -> str:
        counts = self._book.counts()
        return self._template.render(
            base=self._base,
            nonce=nonce,
            message=message,
            alert=alert,
            shown=shown,
            listed=listed or [],
            cases=len(self._book.cases),
            done=counts["valid"] + counts["invalid"],
            counts=counts,
            acts=self._book.standing.acts,
            last=self._last(),
            annotator=self._book.annotator,
            failure_types=[(name, name.replace("_", " "), MEANINGS[name]) for name in FAILURE_TYPES],
        )


def _shown(case: Case, place: int, act: Act | None, seen: int) -> Shown:
    return Shown(
        place + 1,
        case.id,
        typeset(case.statement),
        None if case.answer is None else typeset(_as_formula(case.answer)),
        None if case.solution is None else typeset(case.solution),
        status(act),
        act.failure_type if act is not None else None,
        (act.note or "") if act is not None else "",
        seen,
    )


def _as_formula(answer: str) -> str:
    # Answers are filed without the marks of a formula; as plain text \frac12 is hard to judge.
    bare = "\\" in answer and "$" not in answer and r"\(" not in answer and r"\[" not in answer
    return f"${answer.strip()}$" if bare else answer
