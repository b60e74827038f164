"""Pages and exports in French: no English is left in them, and numbers are written as in French."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from graders.classroom import marks
from graders.classroom.class_record import ClassRecord, HandIn
from graders.classroom.marks import Mark, Override, Student
from graders.course.late_policy import Late, LatePolicy
from graders.language import current_language, speaking
from graders.results.audit_result import AuditedCheck, AuditedExercise, Kind, Tried
from graders.results.limit import Limit
from graders.results.measurements import Clocked, CostCurve, Timing
from graders.results.result import Outcome, Result, from_json, to_json
from reports import audit, publish, words
from reports.class_statistics import limits_met
from reports.figures import heat_maps
from reports.gradebook.gradescope import results_json
from reports.gradebook.junit import junit_xml
from reports.pages import class_page, notebook_page, page_digest, student_page
from tests.reports import class_of_twelve, sample
from tests.reports.markup import Page, assert_sound
from tests.reports.test_trained import MODEL, result_of

TEMPLATES = Path(student_page.__file__).parents[1] / "templates"
# Words that every English sentence of ours has one of, and no French one.
ENGLISH = set(
    re.findall(
        r"\w+",
        """
        all and are at by each expected failed for from in is it late more no none not of passed row rows that
        the their this to undecided was what where which who whose with without your yours column columns
        mistake hint check checks exercise submission submissions seconds show any everybody outcome set
        reference
        """,
    )
)
# What a grader says in French stands here for its sentences: these tests are about all that stands around.
GRADERS = {"says": "une phrase", "message": "un message", "title": "Un titre", "hint": "un indice"}
TIMED = Timing(
    says=("une phrase",),
    sandbox="nested",
    judged=64,
    ratio=1.25,
    control=1.02,
    memory={"student": 12_000_000, "reference": 8_000_000},
    clocked=tuple(
        Clocked(length, mode, (0.00435,), (0.0031,), (0.0029,), 1.25, 1.2, 1.31)
        for length in (32, 64)
        for mode in ("forward", "backward")
    ),
)
COSTS = (
    CostCurve("time", ((64, 0.001), (256, 0.0042)), 1, 1.5, 1.04, 64),
    CostCurve("memory", ((64, 16e6), (256, 27e7)), 1, 1.5, 2.04, 16, 2e7),
)


class Read(Page):
    """What is read on a page, by eyes and ears, outside of code."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        read = [value or "" for name, value in attrs if name == "aria-label" or name.startswith("data-")]
        self.pieces += re.sub(r"\{\w+\}", "", " ".join(read)).split()

    def handle_data(self, data: str) -> None:
        if not {"pre", "code"} & set(self.open):
            super().handle_data(data)


def in_french(result: Result) -> Result:
    """The same result as if it had been graded in French."""

    def said(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: said(part, name) for name, part in value.items()}
        if isinstance(value, list):
            return [said(part) for part in value]
        return GRADERS[key] if key in GRADERS and isinstance(value, str) else value

    return from_json(json.dumps(said(json.loads(to_json(result))) | {"language": "fr"}))


def english(text: str) -> set[str]:
    """The English words that are read in a text."""
    pieces = Read(text).pieces if text.startswith("<!DOCTYPE") else text.split()
    return {word for piece in pieces for word in re.findall(r"\w+", piece)} & ENGLISH


@pytest.fixture(scope="module")
def result() -> Result:
    """Every outcome, a model, times, and points that are no whole numbers."""
    outcomes = [*sample.every_outcome(), *result_of(MODEL).exercises]
    timed = sample.exercise(
        sample.finding(points=0.5, max_points=1.5, costs=COSTS), name="timed", timing=TIMED
    )
    return in_french(sample.result(*outcomes, timed, sandbox="open", points=3.75, max_points=12.5))


@pytest.fixture(scope="module")
def mark() -> Mark:
    late = Late(2, 1.5, "rendu avec 2 jours de retard")
    given = Override("alice", "timed", 1.25, "une remarque")
    at = datetime(2026, 11, 20, 22, 5, tzinfo=UTC)
    return Mark("alice", Student("alice"), at, 3.75, 4.25, 12.5, (given,), late, undecided=2)


@pytest.mark.parametrize("template", sorted(TEMPLATES.glob("*.j2")), ids=lambda path: path.name)
def test_a_template_has_no_untranslated_words(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    text = re.sub(r"{% block (style|scripts|width) %}.*?{% endblock %}", "", text, flags=re.DOTALL)
    text = re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:aria-label|alt|title|placeholder)="([^"]*[^"\s][^"]*)"', text)
    bare = re.sub(r"<code>.*?</code>|<a href[^>]*>grades.csv</a>|<[^>]*>|&\w+;", "", text, flags=re.DOTALL)
    assert re.findall(r"[a-zA-Z]{2,}", bare) == []


def test_a_students_page_is_french_and_says_so(result: Result, mark: Mark) -> None:
    text = student_page.render(result, "notebook.html", "", mark)
    read = assert_sound(text)
    assert english(text) == set()
    assert [html["lang"] for html in read.named("html")] == ["fr"]
    for words_of in (
        "réussi",
        "temps dépassé",
        "Indice",
        "le plus grand écart est en [0, 1]",
        "c'est elle qui",
    ):
        assert words_of in read.words


def test_numbers_are_french_and_tensors_are_python(result: Result, mark: Mark) -> None:
    text = student_page.render(result, None, "", mark)
    read = assert_sound(text).words
    for number in (
        "4,25",
        "/ 12,5",
        "−1,5",
        "4,35 ms",
        "12 Mo",
        "1,2 (de 1,2 à 1,3)",
        "1,317",
        "107\u202f417",
    ):
        assert number in read, number
    assert "attendu 1, obtenu 0,67" in read and "tensor([[1.0, 2.0" in read
    cells = re.findall(r'class="(?:score|number|total|tally)[^"]*">(.*?)</(?:td|p|span)>', text)
    assert len(cells) > 50 and [cell for cell in cells if re.search(r"\d\.\d", cell)] == []


def test_a_class_page_is_in_the_current_language(result: Result, mark: Mark) -> None:
    results = [in_french(one) for one in class_of_twelve.results()]
    results = [*results, result, *(in_french(result_of(MODEL, who)) for who in "xyz")]
    results = [replace(one, seconds=1.25 * n) for n, one in enumerate(results)]
    away = Mark("away", Student("away", "Zoé", group="A"), None, None, None, 20)
    given = [*(Mark(r.submission.id, None, None, r.points, r.points, 20) for r in results), away]
    given = [one if one.id != "alice" else mark for one in given]
    with speaking("fr"):
        text = class_page.render(results, ["une note"], given)
    read = assert_sound(text)
    assert english(text) == set()
    assert [html["lang"] for html in read.named("html")] == ["fr"]
    assert "Fixés par l'enseignant" in read.words and "8,8" in read.pieces
    visible = re.sub(r"[0-9a-f]{16,}", "", " ".join(read.pieces))
    assert re.findall(r"\d\.\d", visible) == []


def test_a_page_is_in_the_language_of_its_result() -> None:
    with speaking("fr"):
        assert student_page.render(sample.result()) == ENGLISH_PAGE
    with speaking("en"):
        assert 'lang="fr"' in student_page.render(sample.result(language="fr"))


ENGLISH_PAGE = student_page.render(sample.result())


def test_pictures_are_cached_per_language() -> None:
    first = heat_maps.pair(sample.case())
    with speaking("fr"):
        second = heat_maps.pair(sample.case())
    assert first and second
    assert [p.title for p in first.pictures] == ["expected", "yours"]
    assert [p.title for p in second.pictures] == ["attendu", "le vôtre"]
    assert "carte de chaleur" in second.pictures[0].drawing


def test_a_notebook_page_is_french_around_the_notebook() -> None:
    cell = {"cell_type": "code", "source": "x" * 60_000, "outputs": [{"output_type": "other"}]}
    image = {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}}
    drawn = {"cell_type": "code", "source": "x", "outputs": [image]}
    with speaking("fr"):
        text = notebook_page.render(json.dumps({"cells": [cell, drawn] + [{}] * 1_001}).encode(), "Un titre")
    assert [alt["alt"] for alt in Read(text).named("img")] == ["Cette image n'a pas de description"]
    assert english(text) == set()
    assert "encore 10000 caractères" in text and "1 sortie de cette cellule n'est pas affichée" in text


def test_an_audit_is_french_around_the_names_of_code() -> None:
    checks = (
        AuditedCheck("une", shape_only=False),
        AuditedCheck("deux", shape_only=True, kept_because="utile"),
    )
    tried = (
        Tried(Kind.REFERENCE, "F", "passed"),
        Tried(Kind.MISTAKE, "f__un", "failed", ("une",), (("f__un",), ("f__deux", "f__trois"))),
        Tried(Kind.MISTAKE, "f__deux", "passed"),
        Tried(Kind.RIGHT, "boucle", "timed_out", ("une",), (), "un message"),
        Tried(Kind.EMPTY, "zéros", "passed"),
    )
    with speaking("fr"):
        text = audit.render([AuditedExercise("f", "Un titre", "a", checks, tried, ("une lacune",))])
    assert english(text) == set()
    for words_of in ("comme un ou deux et trois", "temps dépassé", "reste\u00a0: utile", "réponse vide"):
        assert words_of in text


def test_exports_are_in_the_language_of_the_result(result: Result, mark: Mark) -> None:
    told = json.loads(results_json(result, mark))
    texts = [told["output"], *(text for test in told["tests"] for text in (test["name"], test["output"]))]
    assert english(" ".join(texts)) == set()
    assert told["output"].startswith("softmark: 4,25 / 12,5, 2 points restent à décider\u202f; ")
    assert "rendu avec 2 jours de retard, 1,5 point de moins" in told["output"]
    assert told["score"] == 4.25
    xml = junit_xml([(result, mark)])
    assert "temps dépassé" in xml and "Un titre\u00a0: " in told["tests"][0]["name"]


def test_lateness_is_in_the_language_of_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "lateness", lambda *_: Late(1, 0.0, current_language()))
    at = datetime(2026, 11, 20, 22, 5, tzinfo=UTC)
    class_record = ClassRecord("attention", 2, hand_ins=(HandIn("alice", "t", at), HandIn("bob", "t", at)))
    results = [sample.result(language="fr"), sample.result(id="bob")]
    found = marks.compute_marks(results, class_record, [], LatePolicy(at))
    assert [mark.late and mark.late.says for mark in found] == ["fr", "en"]


def test_a_page_is_rendered_again_for_another_language_or_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = {page_digest.digest_of("x")}
    with speaking("fr"):
        digests.add(page_digest.digest_of("x"))
    monkeypatch.setattr(page_digest, "CATALOGUES", tmp_path)
    page_digest._digest_of_code.cache_clear()
    digests.add(page_digest.digest_of("x"))
    page_digest._digest_of_code.cache_clear()
    assert len(digests) == 3
    publish.publish_one(tmp_path, sample.result(language="fr", key="k"))
    publish.publish_one(tmp_path, sample.result(key="k"))
    assert 'lang="en"' in (tmp_path / "alice/index.html").read_text(encoding="utf-8")


def test_a_limit_is_named_in_french() -> None:
    finding = sample.finding(Outcome.RAISED, message="OSError: non", limit=Limit.FILES)
    with speaking("fr"):
        [met] = limits_met.count_limits([sample.result(sample.exercise(finding))])
    assert met.what == "fichiers"


def test_a_mistake_is_named_by_the_first_sentence_of_its_hint() -> None:
    reading = "Le masque est lu à l'envers : True veut dire masqué. Regardez."
    reverse = sample.Mistake("mask__reversed", "The mask is read the wrong way.", reading)
    missing = sample.Mistake("mask__missing", "The mask.", "Il faut 1.5. Où ?")
    either = ((reverse,), (missing,))
    assert words.summarize_mistakes(either) == "The mask is read the wrong way / The mask"
    with speaking("fr"):
        first, second = words.summarize_mistakes(either).split(" / ")
        assert first == "Le masque est lu à l'envers : True veut dire masqué"
        assert second == "Il faut 1.5"
        assert words.summarize_mistakes([[sample.Mistake("mask__reversed", "The mask.")]]) == "The mask"


def test_places_and_points_are_in_french() -> None:
    with speaking("fr"):
        assert words.place(sample.Place("a.ipynb", 9, 4), ("a.ipynb",)) == "cellule 9, ligne 4"
        assert [words.points(value) for value in (17.5, 20, 0.25, 100)] == ["17,5", "20", "0,25", "100"]
