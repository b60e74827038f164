"""`report` and `export` speak the language of the results that they read, unless `--lang` names another."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.cli.main import main
from graders.language import Language, speak
from graders.results.store import write_result
from tests.reports import sample

FRENCH = replace(sample.result(sample.exercise(sample.finding())), language="fr")


@pytest.fixture(autouse=True)
def in_english(monkeypatch):
    monkeypatch.setenv("SOFTMARK_LANG", "en")
    yield
    speak("en")


def run(*arguments: str | Path) -> str:
    done = CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize(
    ("before", "after", "language"),
    [([], [], "fr"), (["--lang", "en"], [], "en"), ([], ["--lang", "en"], "en"), ([], ["--lang=fr"], "fr")],
)
def test_report_and_export_speak_as_the_results_do(
    tmp_path: Path, before: list[str], after: list[str], language: Language
):
    write_result(tmp_path, FRENCH)
    said = run(*before, "report", tmp_path, *after, "--jobs", "1")
    assert {"en": "1 result\n", "fr": "1 résultat\n"}[language] in said
    assert {"en": "\n1 page:", "fr": "\n1 page\u00a0:"}[language] in said
    assert f'<html lang="{language}"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    said = run(*before, "export", tmp_path, "junit", *after)
    assert said.startswith({"en": "written:", "fr": "écrit\u00a0:"}[language]), said


def test_results_that_say_no_language_leave_it_to_the_usual_choice(tmp_path: Path, monkeypatch):
    write_result(tmp_path, FRENCH)
    path = tmp_path / "alice/result.json"
    path.write_text(path.read_text(encoding="utf-8").replace(',\n "language": "fr"', ""), encoding="utf-8")
    assert "1 page:" in run("report", tmp_path, "--jobs", "1")
    monkeypatch.setenv("SOFTMARK_LANG", "fr")
    assert "1 page\u00a0:" in run("report", tmp_path, "--jobs", "1")
