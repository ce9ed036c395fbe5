"""Cleaning rules for markup of web pages, wikis and forums."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from html.entities import html5

from curation.filters.rule import Edit, cleans
from curation.filters.triggers import SPACE, either

_ENTITY = re.compile(r"&(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_ATTRIBUTES = r"(?:\s+[a-zA-Z_:-]+(?:\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))?)*\s*"
_SCRIPT = re.compile(rf"<(su[pb]){_ATTRIBUTES}>([^<>$]*)</\1\s*>", re.IGNORECASE)
_BREAK_NAMES = "p|br|div|li|ul|ol|h[1-6]|blockquote"
_BREAK = re.compile(rf"</?(?:{_BREAK_NAMES}){_ATTRIBUTES}/?>", re.IGNORECASE)
_PAIRED_NAMES = "b|i|u|s|em|strong|span|font|center|small|big|tt|code|var|cite|nobr|mark"
_PAIRED = re.compile(rf"<({_PAIRED_NAMES}){_ATTRIBUTES}>([^<>]*)</\1\s*>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ORDINAL = re.compile(r"\s*(?:st|nd|rd|th)\s*", re.IGNORECASE)

_WIKI_BOLD = re.compile(r"(?<![A-Za-z0-9')}\]])'''(?=[^\s'])([^'\n$]+?)(?<=[^\s'])'''(?!')")
_WIKI_LINK = re.compile(r"\[\[(?!(?:Image|File):)(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")
_FORUM = re.compile(r"\[(b|i|u|center|size|color|font|quote)(?:=[^\[\]\n]*)?\]([^\[\]]*)\[/\1\]", re.IGNORECASE)


@cleans("HTML entities become the characters they name.", when="&[#A-Za-z][0-9A-Za-z]*;", mends=True)
def html_entity(text: str) -> Sequence[Edit]:
    """``&nbsp;``, ``&lt;``, ``&#8722;``: names that HTML knows, closed by a semicolon."""
    return list(_named_characters(text))


@cleans(
    "HTML tags go; raised and lowered text becomes ^{} and _{}.",
    when=either(rf"(?i:</?(?:su[pb]|{_BREAK_NAMES}|{_PAIRED_NAMES})(?:[/>]|{SPACE}))", "<!--"),
)
def html_tag(text: str) -> Sequence[Edit]:
    """Tags that only format. ``a<b>c`` stays: a tag of formatting counts where its end tag follows."""
    edits = [Edit(found.start(), found.end(), _raised_or_lowered(found)) for found in _SCRIPT.finditer(text)]
    edits += [Edit(found.start(), found.end(), found[2]) for found in _PAIRED.finditer(text)]
    edits += [Edit(found.start(), found.end(), _line_end(found)) for found in _BREAK.finditer(text) if _is_tag(found)]
    edits += [Edit(found.start(), found.end()) for found in _COMMENT.finditer(text)]
    return list(_apart(edits))


@cleans("Wiki marks for bold text and links go.", when=r"'''|\[\[")
def wiki(text: str) -> Sequence[Edit]:
    """``'''Note'''`` and ``[[Prime number|prime]]``; two marks are a quotation or a double prime and stay."""
    if "'''" in text:
        return [Edit(found.start(), found.end(), found[1]) for found in _WIKI_BOLD.finditer(text)]
    if "[[" in text:
        return [Edit(found.start(), found.end(), found[1]) for found in _WIKI_LINK.finditer(text)]
    return ()


@cleans("Forum marks for bold, italics and size go.", when=r"\[/")
def forum(text: str) -> Sequence[Edit]:
    """``[b]...[/b]`` and the like, as AoPS posts have them."""
    return [Edit(found.start(), found.end(), found[2]) for found in _FORUM.finditer(text)]


def _named_characters(text: str) -> Iterator[Edit]:
    for found in _ENTITY.finditer(text):
        entity = found.group()
        if entity[1] == "#" or entity[1:] in html5:
            character = html.unescape(entity)
            if character.isprintable() or character.isspace():
                yield Edit(found.start(), found.end(), " " if character == "\u00a0" else character)


def _raised_or_lowered(tag: re.Match[str]) -> str:
    content = tag[2]
    if not content.strip() or (tag[1].lower() == "sup" and _ORDINAL.fullmatch(content)):
        return content
    return f"{'^' if tag[1].lower() == 'sup' else '_'}{{{content}}}"


def _is_tag(found: re.Match[str]) -> bool:
    """Tell a paragraph's tag from the inequalities of ``a<p>b``."""
    text, start = found.string, found.start()
    return found.group() != "<p>" or "</p>" in text or text[:start].rstrip(" ")[-1:] in ("", "\n")


def _line_end(tag: re.Match[str]) -> str:
    text = tag.string
    return "\n" if text[: tag.start()].strip() and text[tag.end() :].strip() else ""


def _apart(edits: list[Edit]) -> Iterator[Edit]:
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= end:
            yield edit
            end = edit.end
