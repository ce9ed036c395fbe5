"""The files of a folder sorted into rounds by what their names say."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from curation import storage
from curation.ingest.papers.items import Fault
from curation.ingest.papers.layout import PaperName, Papers, Role

KINDS = {
    ".tex": "tex",
    ".wiki": "wiki",
    ".mediawiki": "wiki",
    ".txt": "wiki",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".csv": "csv",
}
"""What a suffix says a paper is written in; other files are none."""


@dataclass(frozen=True, slots=True)
class PaperFile:
    """One file of a round.

    Attributes:
        path: where it is.
        shown: its path in the archive.
        name: what the path says.
    """

    path: Path
    shown: str
    name: PaperName

    @property
    def kind(self) -> str:
        """``tex``, ``wiki``, ``html``, ``pdf`` or ``csv``."""
        return KINDS[self.path.suffix.lower()]


@dataclass
class Round:
    """The files of one round of one contest's year."""

    name: PaperName
    problems: list[PaperFile] = field(default_factory=list)
    solutions: list[PaperFile] = field(default_factory=list)
    answers: list[PaperFile] = field(default_factory=list)

    def add(self, file: PaperFile) -> None:
        """Put a file where its role says."""
        roles: dict[Role, list[PaperFile]] = {
            "problems": self.problems,
            "solutions": self.solutions,
            "answers": self.answers,
        }
        roles[file.name.role].append(file)

    @property
    def files(self) -> tuple[PaperFile, ...]:
        """All of them."""
        return (*self.problems, *self.solutions, *self.answers)

    def file_of(self, location: str) -> str:
        """Return the path in the archive that a location starts with."""
        return max((file.shown for file in self.files if location.startswith(file.shown)), key=len, default=location)


def find_rounds(folder: Path, papers: Papers) -> tuple[list[Round], list[Fault]]:
    """Sort the papers under a folder into rounds, in the order of their names.

    Returns:
        the rounds, and the files that are left over: those no pattern fits, links out of the folder, and copies of
        another file of their round.
    """
    rounds: dict[tuple[str, str, str], Round] = {}
    faults: list[Fault] = []
    seen: dict[tuple[str, str, str, str, str], str] = {}
    for path in sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix.lower() in KINDS):
        inside = PurePosixPath(path.relative_to(folder).as_posix())
        if papers.is_other(inside) or any(part.startswith(".") for part in inside.parts):
            continue
        shown = inside.as_posix()
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            faults.append(
                Fault(shown, "outside_folder", "it is a link out of the archive's folder: put the paper there")
            )
            continue
        name = papers.name(inside)
        if name is None:
            reason = "its name fits no pattern of the source's [papers] names: rename it, or add a pattern"
            faults.append(Fault(shown, "unknown_paper", reason))
            continue
        key = (name.year, name.tournament, name.round)
        digest = storage.sha256_file(path)
        first = seen.setdefault((*key, name.role, digest), shown)
        if first != shown:
            faults.append(Fault(shown, "same_paper", f"it is the same file as {first}"))
            continue
        rounds.setdefault(key, Round(name)).add(PaperFile(path, shown, name))
    return [rounds[key] for key in sorted(rounds)], faults
