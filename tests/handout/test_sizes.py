"""Where a handout is too large for some ways to give it out, its README says so."""

import pytest

from graders.course.exercise import load_assignment
from graders.handout.platform import Platform
from graders.handout.platform_files import Bundle
from graders.language import Language, speaking

KEY = bytes(40_000_000)
WHEEL = "wheels/softmark-0.1.0+abc-py3-none-any.whl"


@pytest.fixture(autouse=True)
def wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Bundle, "_wheels", {WHEEL: bytes(2_000_000)})


def readme(platform: Platform, language: Language, key: bytes) -> str:
    with speaking(language):
        bundle = Bundle(load_assignment("llama"), language, platform, answer_key=key)
        return bundle.files()["README.md"].decode()


@pytest.mark.parametrize(
    ("language", "size", "without_key"), [("en", "42 MB", "has 2 MB"), ("fr", "42 Mo", "a 2 Mo")]
)
def test_moodle_is_told_how_large_the_zip_is_and_what_makes_it_small(
    language: Language, size: str, without_key: str
):
    text = readme("moodle", language, KEY)
    assert size in text
    assert without_key in text
    assert "`--key none`" in text
    assert "--key none" not in readme("moodle", language, b"a key")


@pytest.mark.parametrize(("language", "size"), [("en", "40 MB"), ("fr", "40 Mo")])
def test_who_uses_github_is_told_that_the_browser_takes_no_such_key(language: Language, size: str):
    text = readme("classroom50", language, KEY)
    assert size in text
    assert "`git push`" in text
    assert "git push" not in readme("classroom50", language, b"a key")
