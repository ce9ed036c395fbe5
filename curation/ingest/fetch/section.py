"""Where an archive's papers are: a source file's ``[fetch]`` section, and the addresses that it spells out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, model_validator

from curation.recipe import Section

_SPAN = re.compile(r"(\d+)\.\.(\d+)")
_FIELD = re.compile(r"\{(\w+)\}")


def _spelled_out(value: object) -> object:
    if not isinstance(value, list | tuple):
        return value
    out: list[object] = []
    for entry in value:
        span = _SPAN.fullmatch(entry) if isinstance(entry, str) else None
        out += [str(number) for number in range(int(span[1]), int(span[2]) + 1)] if span else [entry]
    return tuple(out)


Values = Annotated[tuple[str, ...], BeforeValidator(_spelled_out), Field(min_length=1)]
"""What may stand in a field; ``"1998..2024"`` is each of these numbers."""


class Pages(Section):
    """Addresses that follow a pattern: one file each, or index pages whose links are the files."""

    url: str = Field(description="with {fields}")
    values: dict[str, Values] = Field(default={}, description="what each field may be; all combinations are asked for")
    file: str | None = Field(
        default=None, description="the file's path in the folder, with {fields}; for one file each"
    )
    links: str | None = Field(
        default=None, description="regular expression of the addresses to take from an index page"
    )
    strip: str = Field(default="", description="regular expression of what is left out of a linked file's path")

    @model_validator(mode="after")
    def _complete(self) -> Pages:
        if (self.file is None) == (self.links is None):
            raise ValueError("give file, or links for an index page")
        fields = set(_FIELD.findall(self.url + (self.file or "")))
        if fields != set(self.values):
            raise ValueError(f"the fields {sorted(fields)} and the values {sorted(self.values)} differ")
        for pattern in (self.links, self.strip):
            try:
                re.compile(pattern or "")
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None
        return self

    def spelled_out(self) -> Iterator[tuple[str, str | None]]:
        """Yield every address with its file's path; None for an index page."""
        names = list(self.values)
        for chosen in product(*self.values.values()):
            fields = dict(zip(names, chosen, strict=True))
            yield _filled(self.url, fields), None if self.file is None else _filled(self.file, fields)


class Fetch(Section):
    """The ``[fetch]`` section of an archive's source file."""

    terms: str = Field(description="the page with the terms of use, or the page that offers the papers")
    hosts: tuple[str, ...] = Field(min_length=1, description="the only hosts that are asked, port included")
    scheme: Literal["https", "http"] = "https"
    seconds_between: float = Field(default=2.0, ge=0, description="between two requests to a host, at least")
    largest_mb: float = Field(default=50, gt=0)
    absent: tuple[int, ...] = Field(default=(404, 410), description="statuses that say that there is no such file")
    pages: tuple[Pages, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _own_hosts(self) -> Fetch:
        for page in self.pages:
            if not self.allows(page.url):
                raise ValueError(f"{page.url} is on none of the hosts {', '.join(self.hosts)}")
        return self

    def allows(self, url: str) -> bool:
        """Return whether an address is on one of the hosts, by the one scheme."""
        parts = urlsplit(url)
        return parts.scheme == self.scheme and parts.netloc.lower() in self.hosts


def _filled(template: str, fields: dict[str, str]) -> str:
    return _FIELD.sub(lambda found: fields[found[1]], template)
