"""Docstrings with two languages. The audit finds out whether the course has both everywhere."""

from graders.language import line, text_in

BOTH = """Join the heads.

    They lie side by side.

    fr: Réunit les têtes.

    Elles sont côte à côte.
    """


def test_the_english_text_ends_where_the_french_begins():
    assert text_in(BOTH) == "Join the heads.\n\nThey lie side by side."


def test_the_french_text_begins_behind_its_mark():
    assert text_in(BOTH, "fr") == "Réunit les têtes.\n\nElles sont côte à côte."


def test_a_line_is_the_text_without_its_breaks():
    assert line(BOTH, "fr") == "Réunit les têtes. Elles sont côte à côte."


def test_the_french_text_may_be_indented_under_its_mark():
    assert text_in("One.\n\nfr: Un.\n    Deux.", "fr") == "Un.\nDeux."


def test_a_text_without_french_is_said_in_english():
    assert text_in("Join the heads.", "fr") == "Join the heads."


def test_a_mark_within_a_line_is_no_mark():
    assert text_in("Say fr: to begin.") == "Say fr: to begin."


def test_no_text_is_empty_in_both_languages():
    assert (text_in(None), text_in(None, "fr"), line(""), line("", "fr")) == ("", "", "", "")
