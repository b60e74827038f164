"""A hint leads to the page of its mistake where a site is named, and to nothing otherwise."""

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from graders.classroom.class_record import ClassRecord
from graders.classroom.count_attempts import carry_over
from graders.classroom.marks import compute_marks
from graders.classroom.run_marks import make_marker, save_class
from graders.cli.main import main
from graders.course.course_table import BadEntry, parse_course
from graders.results.mistake_address import is_site, mistake_address, section_id
from graders.results.result import Mistake, Outcome
from reports import publish
from reports.pages import notebook_cell_output, student_page
from tests.reports import sample

SITE = "https://example.org/softmark"
LINK = f'href="{SITE}/en/exercises/concat_heads.html#concat-heads-unmoved"'
WRONG = sample.exercise(sample.finding(Outcome.FAILED), symbol="concat_heads")
RESULT = sample.result(WRONG)


def test_without_a_site_a_page_leads_nowhere_outside() -> None:
    assert "More on this mistake" not in student_page.render(RESULT)
    assert 'href="http' not in student_page.render(RESULT) + notebook_cell_output.render(RESULT, "n").html


@pytest.mark.parametrize("site", [SITE, f"{SITE}/"])
def test_a_hint_leads_to_the_page_of_its_mistake(site: str) -> None:
    assert LINK in student_page.render(RESULT, link_to=site)
    assert LINK in notebook_cell_output.render(RESULT, "n", link_to=site).html


def test_a_french_page_leads_to_the_french_page() -> None:
    page = student_page.render(replace(RESULT, language="fr"), link_to=SITE)
    assert LINK.replace("/en/", "/fr/") in page
    assert "En savoir plus sur cette erreur\u00a0: unmoved" in page


def test_each_of_several_mistakes_has_its_link_and_one_of_another_exercise_none() -> None:
    names = ("concat_heads__a", "concat_heads__b", "elsewhere__c")
    mistakes = tuple((Mistake(name, "a hint"),) for name in names)
    wrong = sample.finding(Outcome.FAILED, mistake=Mistake(" | ".join(names), "hints"), mistakes=mistakes)
    page = student_page.render(sample.result(sample.exercise(wrong)), link_to=SITE)
    assert [f"#concat-heads-{each}" in page for each in "abc"] == [True, True, False]


def test_only_an_address_becomes_a_link() -> None:
    assert is_site("off") and is_site("http://localhost:8000/en")
    for text in ("javascript:alert(1)", "https://", "ftp://a.org", "example.org", "https://a.org/ b"):
        assert not is_site(text)
        assert mistake_address(text, "a", "a__b", "en") is None
    assert mistake_address("off", "a", "a__b", "en") is None
    assert mistake_address("", "a", "a__b", "en") is None


def test_the_command_refuses_what_is_no_address(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    words = ["check", str(tmp_path / "a.py"), "--link-to", "javascript:alert(1)", "--lang", "en"]
    ended = CliRunner().invoke(main, words)
    assert ended.exit_code == 2
    assert "no address such as https://example.org/softmark/" in ended.output


def test_a_course_names_its_site() -> None:
    said = parse_course(f'[course]\nlink_to = "{SITE}"\n').course
    assert said is not None
    assert said.link_to == SITE
    with pytest.raises(BadEntry, match="link_to must be an address"):
        parse_course('[course]\nlink_to = "nowhere"\n')


def test_the_site_that_a_run_was_given_is_kept_for_its_later_pages(tmp_path: Path) -> None:
    record = ClassRecord("attention", 20, link_to=SITE)
    save_class(tmp_path, record)
    mark = make_marker(tmp_path)[0].mark(RESULT)
    assert mark.link_to == SITE
    assert compute_marks([RESULT], record, [], None)[0].link_to == SITE
    assert carry_over(record, ClassRecord("attention", 20), tmp_path).link_to == SITE
    assert carry_over(record, ClassRecord("attention", 20, link_to="off"), tmp_path).link_to == "off"


def test_a_page_is_made_again_where_the_site_is_another(tmp_path: Path) -> None:
    [mark] = compute_marks([RESULT], ClassRecord("attention", 20), [], None)
    for site in ("", SITE):
        publish.publish_one(tmp_path, RESULT, replace(mark, link_to=site))
        assert (LINK in (tmp_path / "alice/index.html").read_text("utf-8")) == bool(site)


def test_the_id_of_a_section_is_that_which_sphinx_makes() -> None:
    from docutils.nodes import make_id

    for name in ("f__no_scale", "GPTBlock__after_residual_2", "f__x"):
        assert section_id("gpt_block", name) == make_id(f"gpt_block--{name.partition('__')[2]}")
