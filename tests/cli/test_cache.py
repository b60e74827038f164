"""`softmark cache`: what is kept on the disk is removed, and nothing else."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli import machine_facts
from graders.cli.main import main
from graders.language import speaking
from graders.locations import CACHE_OFF, CACHE_VARIABLE
from graders.results.kept_folder import FOLDERS, WORK


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder in which every kind of file is kept, and one that somebody else has put there."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    for folder in FOLDERS:
        folder.keep("file", b"x" * 500_000)
    (tmp_path / "notes.txt").write_text("mine")
    return tmp_path


def clear(*options: str) -> str:
    done = CliRunner().invoke(main, ["cache", "clear", *options], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


def test_all_that_is_kept_is_removed_and_nothing_else(cache):
    assert clear("--lang", "en") == f"removed: {len(FOLDERS) / 2:.1f} MB in {cache}\n"
    assert [path.name for path in cache.rglob("*") if path.is_file()] == ["notes.txt"]
    assert clear("--lang", "fr") == f"supprimé\u00a0: 0,0\u00a0Mo dans {cache}\n"


def test_where_nothing_is_kept_it_says_so(monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, CACHE_OFF)
    assert clear("--lang", "en") == "nothing is kept: SOFTMARK_CACHE is off\n"
    with speaking("en"):
        assert machine_facts._kept().value == "nothing: SOFTMARK_CACHE is off"


def test_the_doctor_says_where_and_how_much(cache):
    fact = machine_facts._kept()
    assert str(cache) in fact.value
    assert f"{WORK.name} 0.5" in fact.value
