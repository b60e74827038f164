"""An answer key fits the code that it was made with, whatever else of softmark is another."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graders import locations
from graders.answer_key import code_digest

NAMES = ["split_heads", "concat_heads"]
Change = Callable[[str, str, str], dict[str, str]]


@pytest.fixture
def change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Change]:
    """Changes a copy of softmark in one place, for good; returns the digests of the exercises then."""
    for folder in ("graders", "softmark_worker", "assignments"):
        shutil.copytree(locations.ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("*.pyc"))
    places = {"assignments": tmp_path / "assignments", "checks": tmp_path / "graders/checks"}
    monkeypatch.setattr(locations, "SHIPPED", replace(locations.SHIPPED, **places))
    for name, place in {"ROOT": "", "GRADERS": "graders"}.items():
        monkeypatch.setattr(locations, name, tmp_path / place)

    def digests_after(path: str, old: str, new: str) -> dict[str, str]:
        text = (tmp_path / path).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / path).write_text(text.replace(old, new, 1), encoding="utf-8")
        code_digest.read_module.cache_clear()
        code_digest.compute_digests.cache_clear()
        return code_digest.exercise_digests(NAMES)

    yield digests_after
    code_digest.read_module.cache_clear()
    code_digest.compute_digests.cache_clear()


def test_a_key_fits_after_other_words_another_sandbox_and_other_checks_elsewhere(change: Change) -> None:
    before = code_digest.exercise_digests(NAMES)
    assert change("graders/checks/split_heads.py", '    """', '    """In other words: ') == before
    assert change("graders/check_api/properties.py", 'tr("', 'tr("In other words: ') == before
    assert change("graders/sandbox/box.py", "import ", "import sys\nimport ") == before
    assert change("graders/judging/judge.py", "import ", "import sys\nimport ") == before
    assert change("graders/checks/concat_heads.py", "\n\n", "\n\n# a comment\n") == before
    assert change("graders/checks/multi_head_attention.py", "points=", "points=1 + ") == before


def test_a_key_does_not_fit_other_checks_or_stubs_nor_other_code_that_draws_or_reads(change: Change) -> None:
    before = code_digest.exercise_digests(NAMES)
    checks = change("graders/checks/split_heads.py", "points=", "points=1 + ")
    assert checks["split_heads"] != before["split_heads"]
    assert checks["concat_heads"] == before["concat_heads"]
    stub = change("assignments/split_heads.py", "num_heads", "heads")
    assert stub["concat_heads"] != checks["concat_heads"]  # a whole that comes later may call it
    shared = change("graders/answer_key/pack.py", "DEEPEST = 60", "DEEPEST = 61")
    assert all(shared[name] != stub[name] for name in NAMES)


def test_what_a_wheel_says_of_its_code_is_what_is_computed_from_it(
    change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed = code_digest.exercise_digests(NAMES)
    (locations.GRADERS / code_digest.BUILT).write_bytes(code_digest.built_digests())
    code_digest.read_built.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(code_digest, "compute_digests", lambda _: pytest.fail("it is computed again"))
        assert code_digest.exercise_digests(NAMES) == computed
    code_digest.read_built.cache_clear()
