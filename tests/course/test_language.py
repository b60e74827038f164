"""Docstrings with two languages. The audit finds out whether the course has both everywhere."""

from graders.language import line, said

BOTH = """Join the heads.

    They lie side by side.

    fr: Réunit les têtes.

    Elles sont côte à côte.
    """


def test_the_english_text_ends_where_the_french_begins():
    assert said(BOTH) == "Join the heads.\n\nThey lie side by side."


def test_the_french_text_begins_behind_its_mark():
    assert said(BOTH, "fr") == "Réunit les têtes.\n\nElles sont côte à côte."


def test_a_line_is_the_text_without_its_breaks():
    assert line(BOTH, "fr") == "Réunit les têtes. Elles sont côte à côte."


def test_the_french_text_may_be_indented_under_its_mark():
    assert said("One.\n\nfr: Un.\n    Deux.", "fr") == "Un.\nDeux."


def test_a_text_without_french_is_said_in_english():
    assert said("Join the heads.", "fr") == "Join the heads."


def test_a_mark_within_a_line_is_no_mark():
    assert said("Say fr: to begin.") == "Say fr: to begin."


def test_no_text_is_empty_in_both_languages():
    assert (said(None), said(None, "fr"), line(""), line("", "fr")) == ("", "", "", "")
