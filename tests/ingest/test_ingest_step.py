"""The step: every row is one problem or one ledger entry, text survives, the run fixes what was read."""

from __future__ import annotations

import functools
import gzip
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest

from curation import records, run, storage
from curation.errors import InputError
from curation.ingest.step import SOURCE_SCHEMA, Ingest
from curation.progress import Silent
from curation.recipe import IngestSection, Recipe
from curation.run import Run

SOURCE = """
name = "own"
title = "A source"
domain = "math"
group = "opensource_math"
licence = "MIT"
attribution = "its authors"
url = "https://example.org"
[location]
path = "own.jsonl"
[columns]
statement = "q"
answer = "a"
source_id = "id"
[[where]]
column = "kind"
not_equals = "code"
rule = "not_math"
reason = "It is code."
"""
BIG = "7" * 5_000
ANSWERS = [BIG, "007", "1e5", "2025-01-01", None, "", r"\frac{1}{2}", "a\u2028b", "答案"]


def recipe(directory: Path, *uses: dict[str, object]) -> Recipe:
    """Return a recipe over these sources."""
    return Recipe.model_validate({"name": "small", "sources": uses or ({"use": "own.toml"},), "directory": directory})


def ingest(directory: Path, *uses: dict[str, object], limit: int | None = None) -> Run:
    """Run the step alone in ``directory``/run."""
    return run.execute((Ingest(),), recipe(directory, *uses), directory / "run", Silent(), limit=limit)


def table(directory: Path, name: str) -> pl.DataFrame:
    """Return a table that the step wrote."""
    return pl.read_parquet(next((directory / "run").rglob(f"{name}.parquet")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one source and its data."""
    rows = [{"q": f"Question {index}", "a": answer, "kind": "math"} for index, answer in enumerate(ANSWERS)]
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    lines.append(f'{{"q": "Sixty digits", "a": {"1234567890" * 6}, "kind": null}}')
    lines += ['{"q": "cut', "7", '{"q": null, "a": "1"}', '{"q": "Print it", "a": "1", "kind": "code"}']
    lines.append(r'{"q": "Find $\frac{1}{2}$.", "a": "1"}')
    (tmp_path / "own.toml").write_text(SOURCE)
    (tmp_path / "own.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    return tmp_path


def test_every_row_is_a_problem_or_a_ledger_entry(folder: Path) -> None:
    done = ingest(folder)
    assert (done.records[0].rows_in, done.records[0].kept, done.records[0].dropped) == (15, 10, 5)
    ledger = table(folder, "ledger")
    assert ledger.select("problem_id", "rule", "location").rows() == [
        ("own:own.jsonl:11", "broken_json", "own.jsonl:11"),
        ("own:own.jsonl:12", "no_object", "own.jsonl:12"),
        ("own:own.jsonl:13", "no_statement", "own.jsonl:13"),
        ("own:own.jsonl:14", "not_math", "own.jsonl:14"),
        ("own:own.jsonl:15", "control_character", "own.jsonl:15"),
    ]
    assert "a form feed before 'rac{'" in ledger["reason"][4]
    assert set(ledger["step"]) == {"ingest"}


def test_text_comes_out_as_it_went_in(folder: Path) -> None:
    ingest(folder)
    problems = table(folder, "problems")
    assert problems.schema == records.PROBLEM_SCHEMA
    assert problems["answer"].to_list() == [*ANSWERS, "1234567890" * 6]
    assert problems["problem_id"].to_list() == [f"own:{number}" for number in range(1, 11)]
    assert problems["answer_type"][1] == "integer"
    assert problems["answer_type"][4] is None


def test_the_sources_table_adds_up(folder: Path) -> None:
    ingest(folder)
    sources = table(folder, "sources")
    assert sources.schema == SOURCE_SCHEMA
    row = sources.row(0, named=True)
    assert (row["rows_read"], row["kept"], row["dropped"]) == (15, 10, 5)
    assert (row["location"], row["revision"], row["licence"]) == ("own.jsonl", None, "MIT")


def test_two_runs_write_the_same_bytes(folder: Path) -> None:
    first = ingest(folder).records[0].outputs
    (folder / "run").rename(folder / "first")
    assert ingest(folder).records[0].outputs == first
    assert set(first) == {"problems", "tests", "submissions", "checkers", "sources", "ledger"}


def test_repeated_identifiers_are_told_apart(folder: Path) -> None:
    rows = [("a", "one"), ("a", "two"), ("a#2", "three"), ("a", "four"), (None, "five")]
    lines = [json.dumps({"id": key, "q": q, "a": "1", "kind": None}) for key, q in rows]
    (folder / "own.jsonl").write_text("\n".join(lines))
    done = ingest(folder)
    problems = table(folder, "problems")
    assert problems["problem_id"].to_list() == ["own:a", "own:a#2", "own:a#2#2", "own:a#3", "own:5"]
    assert problems["source_id"].to_list() == ["a", "a", "a#2", "a", "5"]
    assert "own" in str(done.records[0].findings["Identifiers given twice, told apart by #2, #3, ..."])


def test_several_sources_of_one_shape(folder: Path) -> None:
    (folder / "more.csv").write_text('id,q,a,kind\nx,"Q, one",007,\n,Q two,,\n')
    ingest(folder, {"use": "own.toml"}, {"use": "own.toml", "name": "more", "path": "more.csv", "licence": "CC0-1.0"})
    more = table(folder, "problems").filter(pl.col("source") == "more")
    assert more.select("problem_id", "statement", "answer", "licence").rows() == [
        ("more:x", "Q, one", "007", "CC0-1.0"),
        ("more:2", "Q two", None, "CC0-1.0"),
    ]


def test_a_limit_counts_rows_of_each_source(folder: Path) -> None:
    assert ingest(folder, limit=11).records[0].rows_in == 11
    assert ingest(folder, {"use": "own.toml", "limit": 2}, limit=11).records[0].rows_in == 2


@pytest.fixture
def served(folder: Path) -> Iterator[Path]:
    """A folder with a web server's folder, whose one file the source names."""
    (folder / "web").mkdir()
    (folder / "web" / "rows.jsonl").write_text('{"q": "How many?", "a": "1", "kind": null}\n')
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(folder / "web"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/rows.jsonl"
        (folder / "own.toml").write_text(SOURCE.replace('path = "own.jsonl"', f'url = "{address}"'))
        yield folder
        server.shutdown()


def test_what_changes_at_an_address_is_read_again(served: Path) -> None:
    ingest(served)
    before = (served / "run" / "steps" / "01-ingest.json").stat().st_mtime_ns
    ingest(served)
    assert (served / "run" / "steps" / "01-ingest.json").stat().st_mtime_ns == before
    (served / "web" / "rows.jsonl").write_text('{"q": "How many are there?", "a": "2", "kind": null}\n')
    ingest(served)
    assert table(served, "problems")["answer"].to_list() == ["2"]


def test_a_run_goes_on_where_an_address_cannot_be_reached(served: Path) -> None:
    ingest(served)
    (served / "web" / "rows.jsonl").unlink()
    assert ingest(served).records[0].kept == 1


def test_another_number_of_rows_than_published_is_told_and_can_stop_the_run(folder: Path) -> None:
    title = "Rows otherwise than published"
    assert title not in ingest(folder).records[0].findings
    (folder / "own.toml").write_text(SOURCE.replace("[location]", "expected_rows = 16\n[location]"))
    assert ingest(folder).records[0].findings[title] == {"own": "15 rows read, 16 published"}
    assert title not in ingest(folder, limit=3).records[0].findings
    strict = recipe(folder).model_copy(update={"ingest": IngestSection(row_counts="fail")})
    with pytest.raises(InputError, match="source 'own': 15 rows read, 16 published: fetch it again"):
        run.execute((Ingest(),), strict, folder / "run", Silent())
    (folder / "own.toml").write_text(SOURCE.replace("[location]", "expected_rows = 15\n[location]"))
    assert run.execute((Ingest(),), strict, folder / "run", Silent()).records[0].kept == 10


def test_changed_data_and_changed_source_files_change_the_fingerprint(folder: Path) -> None:
    step = Ingest()
    first = step.configuration(recipe(folder))
    assert step.configuration(recipe(folder)) == first
    (folder / "own.jsonl").write_text('{"q": "Q", "a": "1", "kind": "math"}\n')
    second = step.configuration(recipe(folder))
    (folder / "own.toml").write_text(SOURCE + "# a comment\n")
    third = step.configuration(recipe(folder))
    assert first != second != third


def test_a_source_whose_reader_comes_later_stops_the_run(folder: Path) -> None:
    (folder / "own.toml").write_text(SOURCE.replace("[location]", 'reader_missing = "It is a PDF."\n[location]'))
    with pytest.raises(InputError, match="source 'own' cannot be read: It is a PDF"):
        ingest(folder)


def test_a_source_without_an_address_stops_the_run_before_anything_is_read(folder: Path) -> None:
    (folder / "bare.toml").write_text(SOURCE.replace('"own"', '"bare"').replace('path = "own.jsonl"', ""))
    (folder / "own.jsonl").write_text("unreadable")
    with pytest.raises(InputError, match=r"no address that a program can read: fetch it from https://example\.org"):
        ingest(folder, {"use": "own.toml"}, {"use": "bare.toml"})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("own.jsonl", b"", "own.jsonl is empty"),
        ("own.jsonl", b"\n\n", "holds no rows"),
        (
            "own.jsonl",
            b'{"x": "1"}\n{"x": "2"}\n',
            "not one of 2 rows has what source 'own' takes its where 'kind' from",
        ),
        ("own.jsonl", b'{"kind": "math", "x": "1"}\n', "takes its statement from (q: the key 'q' is missing)"),
        ("own.jsonl", b'{"kind": "math", "q": "1"}\n', "takes its answer from (a: the key 'a' is missing)"),
        ("own.jsonl", b"[1, 2]\n", "takes its where 'kind' from (kind: there is no object that could have a key"),
        ("own.jsonl", gzip.compress(b'{"q": "1"}\n' * 99, mtime=0)[:-9], "own.jsonl is damaged or cut off"),
        ("own.jsonl", b"a" * 100, "own.jsonl has no row that can be read"),
    ],
)
def test_data_that_cannot_be_used(folder: Path, name: str, content: bytes, message: str) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        ingest(folder)
    assert message in str(error.value)
    assert not list((folder / "run").rglob("*.parquet"))


def test_a_folder_of_mixed_files(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "data" / "a.jsonl.gz").write_bytes(gzip.compress(b'{"q": "one", "a": "1", "kind": null}\n'))
    (folder / "data" / "b.csv").write_text("q,a,kind\ntwo,2,\n")
    storage.write_table(
        folder / "data" / "c.parquet",
        pl.DataFrame({"q": ["three"], "a": ["3"], "kind": ["math"]}),
        pl.Schema({"q": pl.String(), "a": pl.String(), "kind": pl.String()}),
    )
    (folder / "data" / "notes.md").write_text("# notes")
    done = ingest(folder, {"use": "own.toml", "path": "data"})
    assert table(folder, "problems")["statement"].to_list() == ["one", "two", "three"]
    assert table(folder, "ledger").select("problem_id", "rule").rows() == [("own:notes.md", "unknown_file")]
    assert done.records[0].rows_in == 4


def test_two_sources_of_one_name(folder: Path) -> None:
    (folder / "again.toml").write_text(SOURCE)
    with pytest.raises(InputError, match="two sources of the recipe are called 'own'"):
        ingest(folder, {"use": "own.toml"}, {"use": "again.toml"})


MEMORY = """
import json, resource, sys
from pathlib import Path
from curation import run
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

directory = Path(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
recipe = Recipe.model_validate({"name": "m", "sources": [{"use": "own.toml"}], "directory": directory})
done = run.execute((Ingest(),), recipe, directory / "run", Silent())
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([done.records[0].kept, (after - before) / 1024]))
"""


def test_memory_does_not_grow_with_the_data(folder: Path) -> None:
    sizes = []
    text = "x" * 20_000
    for count in (3_500, 8_000):
        with (folder / "own.jsonl").open("w") as file:
            for number in range(count):
                file.write(f'{{"id": {number}, "q": "{number} {text}", "a": "1", "kind": null}}\n')
        found = subprocess.run([sys.executable, "-c", MEMORY, str(folder)], capture_output=True, check=True, text=True)
        kept, grown = json.loads(found.stdout)
        assert kept == count
        sizes.append(grown)
    # 90 MB more of text, of which only identifiers may stay in memory.
    assert sizes[1] - sizes[0] < 60
