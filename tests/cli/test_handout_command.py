"""`softmark handout` says which files it wrote."""

from contextlib import nullcontext
from pathlib import Path

from click.testing import CliRunner

from graders.cli.commands import handout
from graders.cli.main import main


def test_the_zip_beside_the_folder_is_named_too(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(handout, "best", lambda _: (nullcontext(), []))
    monkeypatch.setattr(handout, "make_handout", lambda *_: {"a.py": b"x = 1\n"})
    out = tmp_path / "given"
    done = CliRunner().invoke(main, ["handout", "attention", "--out", str(out), "--zip"])
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-2:] == [f"written: {out}", f"written: {out}.zip"]
    assert Path(f"{out}.zip").is_file()
