"""Compiled templates are kept, and only what this user has written there is run."""

from pathlib import Path

import pytest

from graders.locations import CACHE_VARIABLE
from graders.results.kept_folder import TEMPLATES
from reports.pages import templating

PAGE = "class_pages.html.j2"


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where templates are kept; nothing is there yet."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path / TEMPLATES.name


def is_compiled(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the template is compiled when another process asks for it."""
    environment = templating._environment.__wrapped__()
    compiled = []
    compile_it = environment._compile
    monkeypatch.setattr(environment, "_compile", lambda *a: (compiled.append(a), compile_it(*a))[1])
    environment.get_template(PAGE)
    return bool(compiled)


def test_a_template_is_compiled_once(kept: Path, monkeypatch):
    assert is_compiled(monkeypatch)
    assert not is_compiled(monkeypatch)
    assert kept.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", [b"", b"x" * 100, None])
def test_a_damaged_one_is_made_again(kept: Path, monkeypatch, damage: bytes | None):
    is_compiled(monkeypatch)
    [file] = kept.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] if damage is None else damage)
    assert is_compiled(monkeypatch)
    assert file.read_bytes() == whole


def test_one_of_other_settings_is_made_again(kept: Path, monkeypatch):
    is_compiled(monkeypatch)
    monkeypatch.setattr("reports.pages.compiled_templates._version_of_jinja", lambda: "2")
    assert is_compiled(monkeypatch)


def test_code_is_not_run_that_others_could_have_written(kept: Path, monkeypatch):
    is_compiled(monkeypatch)
    kept.chmod(0o770)
    assert is_compiled(monkeypatch)


def test_where_nothing_can_be_kept_pages_are_made_all_the_same(kept: Path, monkeypatch):
    kept.write_text("a file where the folder should be", encoding="utf-8")
    assert is_compiled(monkeypatch)
    assert is_compiled(monkeypatch)
