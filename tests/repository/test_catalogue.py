"""Every sentence has its French, and no French is left of what nobody says any more."""

import ast
import re
import string

import pytest
from jinja2 import Environment

from graders import language
from graders.audit.french_spaces import find_misspaced
from graders.language import default_language, number, speaking, tr, trn
from tests.maintenance.catalogue import MO, ROOT, compile_catalogue, extract_sentences, read_catalogue

KEPT = {message.id: message for message in read_catalogue() if message.id}


@pytest.fixture(scope="module")
def ids() -> list[str | tuple[str, ...]]:
    """What the code says; not read where other tests alone are run, since that takes seconds."""
    return [message.id for message in extract_sentences() if message.id]


def first(identity: str | tuple[str, ...]) -> str:
    return identity if isinstance(identity, str) else identity[0]


def strings(text: str | tuple[str, ...]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def names(text: str) -> set[str]:
    """The places for values in a sentence: `{name}` in code, `%(name)s` in templates."""
    return (
        {found for _, found, _, _ in string.Formatter().parse(text) if found}
        if "{" in text
        else set(re.findall(r"%\((\w+)\)s", text))
    )


def test_every_sentence_is_translated(ids):
    missing = [first(i) for i in ids if i not in KEPT or not all(strings(KEPT[i].string or ""))]
    assert missing == [], "make messages, then write their French"


@pytest.mark.parametrize("folder", ["graders", "reports"])
def test_no_sentence_is_hidden_from_the_catalogue(folder: str, ids):
    """What stands deep within another call is not found when sentences are collected."""
    known = {first(identity) for identity in ids}
    for path in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "trn", "translatable"):
                text = node.args[0]
                assert not isinstance(text, ast.JoinedStr), f"{path}: {ast.unparse(text)}"
                assert not isinstance(text, ast.Constant) or text.value in known, f"{path}: {text.value}"


def test_no_translation_is_left_of_what_nobody_says(ids):
    assert [first(identity) for identity in set(KEPT) - set(ids)] == []


def test_no_translation_is_a_guess():
    assert [first(message.id) for message in KEPT.values() if message.fuzzy] == []


def test_what_is_read_is_what_is_written():
    assert MO.read_bytes() == compile_catalogue(read_catalogue()), "make messages"


def test_a_translation_has_the_values_of_its_sentence():
    for identity, message in KEPT.items():
        for said in strings(message.string):
            assert names(said) == names(strings(identity)[-1]) or names(said) == names(first(identity)), said


def test_french_has_its_spaces():
    for message in KEPT.values():
        for said in strings(message.string):
            assert not find_misspaced(said), said
            text = re.sub(r"`[^`]*`", "x", said)
            assert "'" not in text or "’" not in text, f"one kind of apostrophe: {said}"


@pytest.mark.parametrize("environment", [{"LANG": "fr_FR.UTF-8"}, {"LC_ALL": "fr", "LANG": "en"}], ids=str)
def test_the_locale_says_which_language_is_spoken(environment, monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert default_language() == "en"
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert default_language() == "fr"


def test_a_language_is_spoken_for_a_while():
    with speaking("fr"):
        assert language.current_language() == "fr"
    assert language.current_language() == "en"


def test_numbers_are_written_as_the_language_writes_them():
    assert number(1234.5, ",.2f") == "1,234.50"
    with speaking("fr"):
        assert number(1234.5, ",.2f") == "1\u202f234,50"


def test_one_and_a_half_is_plural_in_english_and_singular_in_french():
    def points(count: float) -> str:
        said = trn("{n} point still to be decided", "{n} points still to be decided", count)
        return " ".join(said.split()[:2])

    assert [points(count) for count in (0, 1, 1.5, 2)] == ["0 points", "1 point", "1.5 points", "2 points"]
    with speaking("fr"):
        assert [points(count) for count in (0, 1, 1.5, 2)] == ["0 point", "1 point", "1,5 point", "2 points"]


def test_a_sentence_that_nobody_translated_is_said_in_english():
    with speaking("fr"):
        assert tr("nobody says this about {what}", what="heads") == "nobody says this about heads"


def test_a_template_speaks_the_language_of_the_moment():
    from reports.pages import templating

    page: Environment = templating._environment()
    template = page.from_string("{{ _('passed') }}")
    with speaking("fr"):
        french = template.render()
    assert (template.render(), french) == ("passed", tr_in_french("passed"))


def tr_in_french(text: str) -> str:
    with speaking("fr"):
        return tr(text)
