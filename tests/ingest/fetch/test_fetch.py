"""``curation fetch`` against a real server that forbids, hurries, breaks off, redirects and changes its mind."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import httpx
import polars as pl
import pytest
from archive_server import ArchiveServer, Fault

from curation import run
from curation.errors import InputError, OutsideError
from curation.ingest.catalog import Source
from curation.ingest.fetch.archive import Fetched, fetch_archive, fetch_archives
from curation.ingest.fetch.client import Client
from curation.ingest.fetch.manifest import MANIFEST, Manifest, addresses
from curation.ingest.fetch.section import Fetch
from curation.ingest.step import Ingest
from curation.json_reader import loads
from curation.progress import Silent
from curation.recipe import Recipe

PAPER = b"%PDF-1.7\n" + bytes(range(256)) * 40
OTHER = b"%PDF-1.7\n" + b"another edition" * 300
PAGES = {"url": "{base}/{year}/paper.pdf", "values": {"year": ["2001..2003"]}, "file": "{year}/paper.pdf"}


@pytest.fixture
def server() -> Iterator[ArchiveServer]:
    with ArchiveServer() as archive:
        archive.files |= {"/2001/paper.pdf": PAPER, "/2002/paper.pdf": OTHER}
        yield archive


def described(server: ArchiveServer, *pages: dict[str, object], **changes: object) -> Source:
    given = [{**page, "url": str(page["url"]).replace("{base}", server.url)} for page in pages or (PAGES,)]
    fetch = {
        "terms": "https://example.org/terms",
        "hosts": [server.host],
        "scheme": "http",
        "seconds_between": 0,
        "pages": given,
    }
    return Source.model_validate(
        {
            "name": "cup",
            "title": "Cup",
            "domain": "math",
            "group": "public_mathcontest",
            "licence": "CC0-1.0",
            "attribution": "us",
            "url": "https://example.org/papers",
            "papers": {"contest": "cup", "names": ["(?P<year>.*)(?P<problems>)"]},
            "fetch": fetch | changes,
        }
    )


class Waiting:
    """A clock that goes on only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sleeps: list[float] = []

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now += seconds


def fetched(source: Source, folder: Path, *, refresh: bool = False, waiting: Waiting | None = None) -> Fetched:
    used = waiting or Waiting()
    assert source.fetch is not None
    with httpx.Client() as http:
        client = Client(source.fetch, http, used.clock, used.sleep)
        return fetch_archive(source, folder, accepted=["cup"], refresh=refresh, reporter=Silent(), client=client)


def files(folder: Path) -> dict[str, bytes]:
    """Return what a person sees in the folder."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".partial" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found if path.name != MANIFEST}


def test_nothing_is_asked_before_the_terms_are_accepted(server: ArchiveServer, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"read https://example.org/terms, then give --accept-terms cup, or download"):
        fetch_archive(described(server), tmp_path, accepted=["other"], reporter=Silent())
    assert not server.asked
    assert not list(tmp_path.iterdir())


def test_no_archive_is_asked_while_the_terms_of_one_are_not_accepted(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="source 'hmmt' has terms"):
        fetch_archives(["aime", "hmmt"], tmp_path, accepted=["aime"], reporter=Silent())
    with pytest.raises(InputError, match="source 'cmimc' has no addresses"):
        fetch_archives(["cmimc"], tmp_path, accepted=["cmimc"], reporter=Silent())
    assert not list(tmp_path.iterdir())


def test_papers_come_into_the_folder_and_the_manifest_says_from_where(server: ArchiveServer, tmp_path: Path) -> None:
    result = fetched(described(server), tmp_path)
    assert files(tmp_path) == {"2001/paper.pdf": PAPER, "2002/paper.pdf": OTHER}
    assert dict(result.outcomes) == {"fetched": 2, "absent": 1}
    assert addresses(tmp_path) == {f"{year}/paper.pdf": f"{server.url}/{year}/paper.pdf" for year in (2001, 2002)}
    lines = [loads(line) for line in (tmp_path / MANIFEST).read_text().splitlines()]
    first = lines[0]
    assert isinstance(first, dict)
    assert (first["sha256"], first["size"]) == (hashlib.sha256(PAPER).hexdigest(), str(len(PAPER)))
    assert [line["outcome"] for line in lines if isinstance(line, dict)] == ["fetched", "fetched", "absent"]
    assert server.asked[0].path == "/robots.txt"
    assert all(one.headers["user-agent"].startswith("curation/") for one in server.asked)


def test_what_is_there_is_not_asked_for_again(server: ArchiveServer, tmp_path: Path) -> None:
    fetched(described(server), tmp_path)
    server.asked.clear()
    result = fetched(described(server), tmp_path)
    assert dict(result.outcomes) == {"kept": 2, "absent": 1}
    assert not server.asked


def test_a_refresh_takes_only_what_has_changed(server: ArchiveServer, tmp_path: Path) -> None:
    fetched(described(server), tmp_path)
    server.files["/2002/paper.pdf"] = PAPER + b"an erratum"
    server.files["/2003/paper.pdf"] = OTHER
    result = fetched(described(server), tmp_path, refresh=True)
    assert dict(result.outcomes) == {"kept": 1, "fetched": 2}
    assert files(tmp_path)["2002/paper.pdf"] == PAPER + b"an erratum"
    assert Manifest(tmp_path).entries["2002/paper.pdf"].sha256 == hashlib.sha256(PAPER + b"an erratum").hexdigest()
    del server.files["/2001/paper.pdf"]
    assert fetched(described(server), tmp_path, refresh=True).outcomes["kept"] == 3
    assert files(tmp_path)["2001/paper.pdf"] == PAPER


def test_files_of_a_person_stay_as_they_are(server: ArchiveServer, tmp_path: Path) -> None:
    (tmp_path / "2001").mkdir()
    (tmp_path / "2001/paper.pdf").write_bytes(b"%PDF-1.7 downloaded by hand")
    fetched(described(server), tmp_path)
    (tmp_path / "2002/paper.pdf").write_bytes(b"%PDF-1.7 mended by hand")
    result = fetched(described(server), tmp_path, refresh=True)
    assert result.outcomes["yours"] == 2
    assert any("stay as they are" in note for note in result.notes)
    assert files(tmp_path)["2001/paper.pdf"] == b"%PDF-1.7 downloaded by hand"
    assert files(tmp_path)["2002/paper.pdf"] == b"%PDF-1.7 mended by hand"


@pytest.mark.parametrize("agent", ["*", "curation", "GPTBot", "CCBot"])
def test_robots_txt_is_kept_to(server: ArchiveServer, tmp_path: Path, agent: str) -> None:
    server.files["/robots.txt"] = f"User-agent: {agent}\nDisallow: /2002/\n".encode()
    result = fetched(described(server), tmp_path)
    assert dict(result.outcomes) == {"fetched": 1, "disallowed": 1, "absent": 1}
    assert "/2002/paper.pdf" not in server.paths()
    assert any("robots.txt forbids it" in note for note in result.notes)


def test_robots_txt_of_others_does_not_bind_us(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/robots.txt"] = b"User-agent: SomeSearchEngine\nDisallow: /\n"
    assert fetched(described(server), tmp_path).outcomes["fetched"] == 2


def test_a_host_whose_robots_txt_cannot_be_had_is_left_alone(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/robots.txt"] = [Fault(503)] * 20
    with pytest.raises(OutsideError, match=r"robots\.txt answers 503"):
        fetched(described(server), tmp_path)
    assert not server.paths()


@pytest.mark.parametrize(("ours", "theirs", "expected"), [(4.0, "", 4.0), (1.0, "Crawl-delay: 9", 9.0)])
def test_requests_keep_their_distance(
    server: ArchiveServer, tmp_path: Path, ours: float, theirs: str, expected: float
) -> None:
    server.files["/robots.txt"] = f"User-agent: *\n{theirs}\nDisallow: /none/\n".encode()
    waiting = Waiting()
    fetched(described(server, seconds_between=ours), tmp_path, waiting=waiting)
    assert waiting.sleeps[1:] == [expected, expected]


def test_a_host_that_wants_a_day_between_requests_is_left_to_a_person(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/robots.txt"] = b"User-agent: *\nCrawl-delay: 86400\n"
    waiting = Waiting()
    with pytest.raises(OutsideError, match="wants 86400 seconds between requests"):
        fetched(described(server), tmp_path, waiting=waiting)
    assert not server.paths()
    assert not waiting.sleeps


def test_the_first_rules_of_an_endless_robots_txt_hold(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/robots.txt"] = b"User-agent: *\nDisallow: /2002/\n" + b"# nothing\n" * 1_000_000
    assert dict(fetched(described(server), tmp_path).outcomes) == {"fetched": 1, "disallowed": 1, "absent": 1}


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_an_overloaded_host_is_given_the_time_it_asks_for(server: ArchiveServer, tmp_path: Path, form: str) -> None:
    in_a_while = format_datetime(datetime.now(UTC) + timedelta(seconds=100), usegmt=True)
    server.faults["/2001/paper.pdf"] = [Fault(429, {"Retry-After": "17" if form == "seconds" else in_a_while})]
    waiting = Waiting()
    assert fetched(described(server), tmp_path, waiting=waiting).outcomes["fetched"] == 2
    longest = max(waiting.sleeps)
    assert longest == 17 if form == "seconds" else 50 < longest <= 100


def test_a_host_that_asks_for_an_hour_is_asked_another_time(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2002/paper.pdf"] = [Fault(503, {"Retry-After": "3600"})]
    with pytest.raises(OutsideError, match="asks to wait 3600 seconds"):
        fetched(described(server), tmp_path)
    assert files(tmp_path) == {"2001/paper.pdf": PAPER}
    assert fetched(described(server), tmp_path).outcomes["fetched"] == 1


def test_a_host_that_stays_down_ends_the_fetch_after_five_tries(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2001/paper.pdf"] = [Fault(500)] * 20
    with pytest.raises(OutsideError, match="answers 500"):
        fetched(described(server), tmp_path)
    assert server.paths() == ["/2001/paper.pdf"] * 5


def test_a_file_that_was_cut_off_goes_on_where_it_stopped(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2001/paper.pdf"] = [Fault(sent=3000), Fault(sent=2000)]
    fetched(described(server), tmp_path)
    assert files(tmp_path)["2001/paper.pdf"] == PAPER
    asked = [one.headers.get("range") for one in server.asked if one.path == "/2001/paper.pdf"]
    assert asked == [None, "bytes=3000-", "bytes=5000-"]


@pytest.mark.parametrize("why", ["no ranges", "another content"])
def test_a_file_that_cannot_go_on_starts_again(server: ArchiveServer, tmp_path: Path, why: str) -> None:
    source = described(server, {"url": "{base}/a.pdf", "file": "a.pdf"})
    server.files["/a.pdf"] = PAPER
    server.faults["/a.pdf"] = [Fault(sent=3000), Fault(503, {"Retry-After": "3600"})]
    with pytest.raises(OutsideError):
        fetched(source, tmp_path)
    server.ranges = why != "no ranges"
    if why == "another content":
        server.files["/a.pdf"] = OTHER
    fetched(source, tmp_path)
    assert server.asked[-1].headers["range"] == "bytes=3000-"
    assert files(tmp_path) == {"a.pdf": server.files["/a.pdf"]}


def test_redirects_stay_on_the_hosts_of_the_source(server: ArchiveServer, tmp_path: Path) -> None:
    with ArchiveServer() as elsewhere:
        elsewhere.files["/stolen.pdf"] = PAPER
        server.faults["/2001/paper.pdf"] = [Fault(302, {"Location": f"{elsewhere.url}/stolen.pdf"})]
        server.faults["/2002/paper.pdf"] = [Fault(301, {"Location": "/2002/moved.pdf"})]
        server.files["/2002/moved.pdf"] = OTHER
        result = fetched(described(server), tmp_path)
        assert not elsewhere.asked
    assert files(tmp_path) == {"2002/paper.pdf": OTHER}
    assert dict(result.outcomes) == {"off_host": 1, "fetched": 1, "absent": 1}
    assert any("not one of the source's hosts" in note for note in result.notes)


def test_a_redirect_does_not_lead_past_robots_txt(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/robots.txt"] = b"User-agent: *\nDisallow: /hidden/\n"
    server.files["/hidden/paper.pdf"] = PAPER
    server.faults["/2001/paper.pdf"] = [Fault(302, {"Location": "/hidden/paper.pdf"})]
    assert fetched(described(server), tmp_path).outcomes["disallowed"] == 1
    assert "/hidden/paper.pdf" not in server.paths()


def test_redirects_in_a_circle_end(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2001/paper.pdf"] = [Fault(302, {"Location": "/2001/paper.pdf"})] * 20
    with pytest.raises(OutsideError, match="redirects more than 5 times"):
        fetched(described(server), tmp_path)


def test_what_is_not_what_its_name_says_or_too_large_does_not_stay(server: ArchiveServer, tmp_path: Path) -> None:
    server.files |= {"/2001/paper.pdf": b"<html>Sorry, this page has moved.</html>", "/2002/paper.pdf": PAPER * 200}
    result = fetched(described(server, largest_mb=1), tmp_path)
    assert dict(result.outcomes) == {"not_as_named": 1, "too_large": 1, "absent": 1}
    assert not files(tmp_path)
    assert not [path for path in (tmp_path / ".partial").iterdir() if path.name != "lock"]


def test_an_index_page_names_the_papers(server: ArchiveServer, tmp_path: Path) -> None:
    server.files |= {
        "/archive": b"""<a href="/s/2001%20Team.pdf">Team</a> <a href="s/../s/Geo.pdf#page=2">Geometry</a>
            <a href="/s/Geo.pdf">again</a> <a href="/s/power.pdf">Power</a>
            <a href="https://elsewhere.example/s/x.pdf">X</a> <a>nothing</a>
            <a href="/other/s/Geo.pdf">another Geo</a> <a href="/s/..%2F..%2Fetc%2Fcron.pdf">climber</a>""",
        "/s/2001%20Team.pdf": PAPER,
        "/s/Geo.pdf": OTHER,
        "/other/s/Geo.pdf": PAPER,
        "/s/..%2F..%2Fetc%2Fcron.pdf": PAPER,
    }
    links = r"https?://[^/]+/(?:other/)?s/(?!power).+\.pdf"
    source = described(server, {"url": "{base}/archive", "links": links, "strip": "^(?:other/)?s/"})
    result = fetched(source, tmp_path / "cup")
    names = set(files(tmp_path / "cup"))
    again = {name for name in names if name.startswith("Geo-")}
    assert names - again == {"2001 Team.pdf", "Geo.pdf", "etc/cron.pdf"}
    assert len(again) == 1
    assert files(tmp_path / "cup")["Geo.pdf"] == OTHER
    assert {path.name for path in tmp_path.iterdir()} == {"cup"}
    assert any("elsewhere.example, which is not followed" in note for note in result.notes)
    assert "/s/power.pdf" not in server.paths()


def test_an_index_page_without_papers_is_told(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/archive"] = b"<p>We have moved to another system."
    source = described(server, {"url": "{base}/archive", "links": ".*[.]pdf"})
    assert any("its layout may have changed" in note for note in fetched(source, tmp_path).notes)


def test_a_forbidden_index_page_leaves_the_papers_to_a_person(server: ArchiveServer, tmp_path: Path) -> None:
    server.files["/robots.txt"] = b"User-agent: *\nDisallow: /archive\n"
    source = described(server, {"url": "{base}/archive", "links": ".*[.]pdf"})
    with pytest.raises(OutsideError, match="download the papers by hand"):
        fetched(source, tmp_path)
    assert not server.paths()


def test_a_killed_fetch_goes_on_where_it_was(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2002/paper.pdf"] = [Fault(sent=2000, waits=True)]
    fetch = described(server).fetch
    assert fetch is not None
    (tmp_path / "cup.toml").write_text(
        f"""name = "cup"
title = "Cup"
domain = "math"
group = "public_mathcontest"
licence = "CC0-1.0"
attribution = "us"
url = "https://example.org/papers"
[papers]
contest = "cup"
names = ['(?P<year>.*)(?P<problems>)']
[fetch]
terms = "https://example.org/terms"
hosts = ["{server.host}"]
scheme = "http"
seconds_between = 0
[[fetch.pages]]
url = "{server.url}/{{year}}/paper.pdf"
values = {{ year = ["2001..2003"] }}
file = "{{year}}/paper.pdf"
"""
    )
    command = [
        sys.executable,
        "-m",
        "curation",
        "fetch",
        "cup.toml",
        "--into",
        "papers",
        "--accept-terms",
        "cup",
        "--json",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert server.stuck.wait(60)
        partial = tmp_path / "papers/cup/.partial"
        while not any(path.stat().st_size == 2000 for path in partial.glob("[0-9a-f]*") if not path.suffix):
            assert process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
    folder = tmp_path / "papers/cup"
    assert files(folder) == {"2001/paper.pdf": PAPER}
    # A line that was being written is torn off.
    with (folder / MANIFEST).open("ab") as manifest:
        manifest.write(b'{"url": "http://')
    server.asked.clear()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert files(folder) == {"2001/paper.pdf": PAPER, "2002/paper.pdf": OTHER}
    assert server.paths() == ["/2002/paper.pdf", "/2003/paper.pdf"]
    assert server.asked[1].headers["range"] == "bytes=2000-"
    assert '"fetched":1' in done.stdout.replace(" ", "")
    assert set(addresses(folder)) == {"2001/paper.pdf", "2002/paper.pdf"}


def test_a_fetched_archive_becomes_rows_with_their_addresses(server: ArchiveServer, tmp_path: Path) -> None:
    server.files |= {
        "/wiki/2001_Problems": b"<h2>Problem 1</h2><p>What is 3 times 4?</p><p><a href='x'>Solution</a></p>",
        "/wiki/2001_Key": b"<ol><li>012</li></ol>",
    }
    pages = {"url": "{base}/wiki/2001_{page}", "values": {"page": ["Problems", "Key"]}, "file": "2001_{page}.html"}
    fetched(described(server, pages), tmp_path / "papers/cup")
    (tmp_path / "cup.toml").write_text(
        'name = "cup"\ntitle = "Cup"\ndomain = "math"\ngroup = "public_mathcontest"\nlicence = "CC0-1.0"\n'
        'attribution = "us"\nurl = "https://example.org"\n[papers]\ncontest = "cup"\n'
        "names = ['(?P<year>[0-9]+)_(?:(?P<problems>Problems)|(?P<answers>Key))']\n"
    )
    recipe = Recipe.model_validate(
        {"name": "own", "sources": [{"use": "cup.toml"}], "directory": tmp_path, "archives": "papers"}
    )
    run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
    [row] = pl.read_parquet(next(tmp_path.rglob("problems.parquet"))).to_dicts()
    assert (row["problem_id"], row["contest"], row["year"], row["answer"]) == ("cup:2001-1", "cup", 2001, "012")
    assert (row["statement"], row["url"]) == ("What is 3 times 4?", f"{server.url}/wiki/2001_Problems")


def test_two_fetches_do_not_share_a_folder(server: ArchiveServer, tmp_path: Path) -> None:
    server.faults["/2001/paper.pdf"] = [Fault(sent=100, waits=True)]
    first = threading.Thread(target=fetched, args=(described(server), tmp_path))
    first.start()
    assert server.stuck.wait(60)
    with pytest.raises(InputError, match="being filled by another fetch"):
        fetched(described(server), tmp_path)
    server.release.set()
    first.join()
    assert files(tmp_path)["2001/paper.pdf"] == PAPER


@pytest.mark.parametrize(
    ("pages", "sentence"),
    [
        ({"url": "http://h/{year}.pdf", "file": "{year}.pdf"}, "differ"),
        ({"url": "http://h/a.pdf"}, "give file, or links"),
        ({"url": "http://h/a", "links": "("}, "no regular expression"),
        ({"url": "http://elsewhere/a.pdf", "file": "a.pdf"}, "on none of the hosts"),
    ],
)
def test_a_section_that_cannot_be_meant_is_refused(pages: dict[str, object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Fetch.model_validate({"terms": "https://h", "hosts": ["h"], "scheme": "http", "pages": [pages]})


def test_a_manifest_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text('{"url": "x"}\n')
    with pytest.raises(InputError, match=r"fetched.jsonl:1: it is no entry"):
        addresses(tmp_path)


def test_the_plan_tells_archives_that_are_there_from_those_that_are_not(tmp_path: Path) -> None:
    (tmp_path / "papers/cmimc").mkdir(parents=True)
    (tmp_path / "papers/cmimc/2016_Algebra.tex").write_text("\\begin{document}\\end{document}")
    command = [
        sys.executable,
        "-m",
        "curation",
        "rebuild",
        "pacore-train-8k",
        "--plan",
        "--json",
        "--archives",
        "papers",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    ready = {source["name"]: source["ready"] for source in plan["sources"]}
    assert ready["cmimc"] == "ready"
    assert "curation fetch smt --into DIR --accept-terms smt" in ready["smt"]
    assert ready["dmm"].startswith("it needs a folder of papers: download them by hand from https://dukemathmeet.org")


def test_the_command_asks_for_the_terms_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "curation", "fetch", "hmmt", "--into", "papers"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "then give --accept-terms hmmt, or download its papers by hand into papers/hmmt" in done.stderr
    assert not list(tmp_path.iterdir())
