"""`curation label` as a process: who may label, and what a kill leaves."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import httpx
import pytest
from label_process import labelling, labels, write_cases

from curation.cli import app
from curation.errors import InputError
from curation.labelling.book import LabelBook
from curation.labelling.cases import read_cases
from curation.labelling.server import serve


def label(client: httpx.Client, case: int, decision: str, seen: int = 0, **headers: str) -> httpx.Response:
    form = {"decision": decision, "seen": str(seen)}
    return client.post(f"case/{case}", data=form, headers=headers)


def test_other_pages_and_other_names_get_nothing_and_what_was_answered_survives_kill_nine(tmp_path: Path) -> None:
    write_cases(tmp_path)
    with labelling(tmp_path, end=signal.SIGKILL) as address, httpx.Client(base_url=address, trust_env=False) as client:
        get_nothing(client, address)
        assert labels(tmp_path) == []
        assert label(client, 1, "invalid:ambiguous").headers["Location"].endswith("/case/2")
        assert label(client, 2, "skip", Origin=address.rsplit("/", 2)[0]).headers["Location"].endswith("/case/3")
    assert [(row["id"], row["failure_type"]) for row in labels(tmp_path)] == [("quad", "ambiguous")]
    with labelling(tmp_path) as address, httpx.Client(base_url=address, trust_env=False) as client:
        assert client.get("").headers["Location"].endswith("/case/3")
        assert label(client, 1, "valid").status_code == 409
        assert label(client, 1, "valid", seen=1).status_code == 303
        assert client.post("undo", data={"acts": "2", "number": "1"}).status_code == 409
        assert client.post("undo", data={"acts": "3", "number": "1"}).headers["Location"].endswith("/case/1")
        assert label(client, 3, "valid").headers["Location"].endswith("/case/2")
        assert label(client, 2, "valid", seen=1).headers["Location"].endswith("/all")
        assert "Every case has a label." in client.get("all").text
    assert [row["label"] for row in labels(tmp_path)] == ["invalid", "valid", "valid"]


def get_nothing(client: httpx.Client, address: str) -> None:
    page = client.get("case/1")
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    nonce = re.findall(r"script-src 'nonce-([^']+)'", policy)[0]
    assert f'<script nonce="{nonce}">' in page.text
    assert nonce not in client.get("case/1").text
    port = httpx.URL(address).port
    assert client.get("case/1", headers={"Host": f"evil.example:{port}"}).status_code == 421
    assert client.get(f"http://127.0.0.1:{port}/").status_code == 404
    assert client.get(f"http://127.0.0.1:{port}/{'x' * 32}/case/1").status_code == 404
    assert label(client, 1, "valid", Origin="https://evil.example").status_code == 403
    assert label(client, 1, "valid", Origin="null").status_code == 403
    assert label(client, 1, "valid", **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    for decision in ("praise", "invalid:nonsense", "valid:ambiguous", ""):
        assert label(client, 1, decision).status_code == 400
    bodies = {
        "multipart/form-data": b"no form",
        "multipart/form-data; boundary=x": b"no form",
        "application/x-www-form-urlencoded; charset=nosuch": b"decision=valid&seen=0",
        "application/x-www-form-urlencoded": b"decision=valid&seen=0&note=\xff",
    }
    for kind, body in bodies.items():
        for page in ("case/1", "undo"):
            assert client.post(page, content=body, headers={"Content-Type": kind}).status_code == 400
    assert label(client, 1, "valid", seen=-1).status_code == 400
    assert label(client, 4, "valid").status_code == label(client, 0, "valid").status_code == 404
    assert client.get("case/9999999999999").status_code == 404
    assert client.post("case/1", data={"note": "x" * 100_000}).status_code == 413
    assert client.get("jump", params={"to": "<b>"}).status_code == 404
    assert client.get("jump", params={"to": "big"}).headers["Location"].endswith("/case/3")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("gone.jsonl", "--out", "labels"), "gone.jsonl"),
        (("cases.jsonl", "--out", "cases.jsonl"), "cases.jsonl"),
        (("cases.jsonl", "--out", "labels", "--annotator", "../x"), "--annotator"),
    ],
)
def test_what_cannot_be_labelled_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], sentence: str
) -> None:
    write_cases(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=sentence):
        app(["label", *options], standalone_mode=False)


def test_an_interrupt_before_the_pages_are_up_ends_it_as_one_after(tmp_path: Path) -> None:
    def interrupted(url: str) -> None:
        raise KeyboardInterrupt

    with LabelBook(read_cases(str(write_cases(tmp_path))), tmp_path / "labels", "annotator") as book:
        serve(book, 0, interrupted)
