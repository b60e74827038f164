"""`softmark handout` says which files it wrote."""

import io
import re
import zipfile
from contextlib import nullcontext
from pathlib import Path

from click.testing import CliRunner

from graders.cli.actions import handout
from graders.cli.main import main
from graders.handout.reproducible_zip import make_zip
from graders.handout.wheel import name_by_content


def test_the_zip_beside_the_folder_is_named_too(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(handout, "best", lambda _: (nullcontext(), []))
    monkeypatch.setattr(handout, "make_handout", lambda *_: {"a.py": b"x = 1\n"})
    monkeypatch.setattr(handout, "make_and_show", lambda *_, **__: b"")
    out = tmp_path / "given"
    done = CliRunner().invoke(main, ["handout", "attention", "--out", str(out), "--zip"])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-2:] == [f"written: {out}", f"written: {out}.zip"]
    assert Path(f"{out}.zip").is_file()


def wheel_of(files: dict[str, bytes], **further: bytes) -> tuple[str, dict[str, bytes]]:
    """The name of a wheel that holds these files, and the files that come out of it."""
    described = {"softmark-0.1.0.dist-info/METADATA": b"Name: softmark\nVersion: 0.1.0\n\nVersion: 0.1.0\n"}
    packed = make_zip(files | described | {"softmark-0.1.0.dist-info/RECORD": b"a.py,sha256=x,3\n"})
    name, data = name_by_content(packed, further)
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        return name, {member: wheel.read(member) for member in wheel.namelist()}


def test_a_courses_own_file_takes_the_place_of_the_usual_one_in_the_wheel():
    name, files = wheel_of({"course.toml": b"old", "a.py": b"x"}, **{"course.toml": b"own"})
    assert files["course.toml"] == b"own"
    record = files[f"{name.removesuffix('-py3-none-any.whl')}.dist-info/RECORD"].decode()
    listed = [line.split(",")[0] for line in record.splitlines()]
    assert sorted(listed) == sorted(files)
    assert "sha256=x" not in record


def test_the_version_of_a_wheel_says_what_is_in_it():
    first, files = wheel_of({"a.py": b"1"})
    assert re.fullmatch(r"softmark-0\.1\.0\+c[0-9a-f]{12}-py3-none-any\.whl", first)
    version = first.split("-")[1]
    metadata = files[f"softmark-{version}.dist-info/METADATA"].decode()
    assert metadata == f"Name: softmark\nVersion: {version}\n\nVersion: 0.1.0\n"
    assert wheel_of({"a.py": b"1"})[0] == first
    others = {wheel_of(files)[0] for files in ({"a.py": b"2"}, {"b.py": b"1"})}
    assert len(others | {first}) == 3
