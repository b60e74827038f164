"""`softmark handout` says which files it wrote."""

import io
import zipfile
from contextlib import nullcontext
from pathlib import Path

from click.testing import CliRunner

from graders.cli.actions import handout
from graders.cli.main import main
from graders.handout.reproducible_zip import make_zip
from graders.handout.wheel import add_file


def test_the_zip_beside_the_folder_is_named_too(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(handout, "best", lambda _: (nullcontext(), []))
    monkeypatch.setattr(handout, "make_handout", lambda *_: {"a.py": b"x = 1\n"})
    monkeypatch.setattr(handout, "make_and_show", lambda *_, **__: b"")
    out = tmp_path / "given"
    done = CliRunner().invoke(main, ["handout", "attention", "--out", str(out), "--zip"])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-2:] == [f"written: {out}", f"written: {out}.zip"]
    assert Path(f"{out}.zip").is_file()


def test_a_courses_own_file_takes_the_place_of_the_usual_one_in_the_wheel():
    listed = "softmark-1.dist-info/RECORD"
    wheel = make_zip(
        {"assignments/course.toml": b"old", listed: b"assignments/course.toml,sha256=x,3\na.py,,\n"}
    )
    with zipfile.ZipFile(io.BytesIO(add_file(wheel, "assignments/course.toml", b"own"))) as packed:
        assert packed.read("assignments/course.toml") == b"own"
        lines = packed.read(listed).decode().splitlines()
    assert sorted(line.split(",")[0] for line in lines) == ["a.py", "assignments/course.toml"]
    assert all("sha256=x" not in line for line in lines)
