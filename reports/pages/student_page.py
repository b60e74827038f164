"""The page of one submission, for its student."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from graders.classroom.comments import Comment
from graders.classroom.marks import Mark
from graders.language import current_language, tr, translatable
from graders.results.case import Reach
from graders.results.heads import Heads
from graders.results.mistake_address import mistake_address
from graders.results.result import Definition, ExerciseResult, Finding, Outcome, Place, Remark, Result
from graders.results.walls import is_unwalled
from reports import words
from reports.case_text import input_lines
from reports.causes import Cause, count_same
from reports.figures import attention_maps, cost, heat_maps, timing, trained
from reports.figures.slices import difference
from reports.figures.who_sees import describe_reach, draw_reach
from reports.figures.written_svg import as_image
from reports.next_step import next_step
from reports.pages import code_listing
from reports.pages.pasteable import case_as_code
from reports.pages.templating import anchor, fill, read_script
from reports.pages.what_is_wrong import (
    describe_cause,
    sort_exercises,
    sort_findings,
    without_repeated_reasons,
)


@dataclass(frozen=True)
class _LinkedPlace:
    text: str
    href: str | None


@dataclass(frozen=True)
class _Links:
    """Names places and links to them. `notebook` is None where no cell can be linked to.

    What a page that is `sanitized` shows can be read without styles and SVG. Hints lead to pages of `site`,
    where it is known which of the `exercises`, by their symbols, a mistake belongs to.
    """

    files: tuple[str, ...]
    notebook: str | None
    sanitized: bool = False
    site: str = ""
    exercises: Mapping[str, str] = field(default_factory=dict)

    def where(self, place: Place | Remark | None) -> _LinkedPlace | None:
        text = place and words.place_with_shapes(place, self.files)
        if place is None or not text:
            return None
        linked = self.notebook is not None and place.cell is not None
        return _LinkedPlace(text, f"{self.notebook}#cell-{place.cell}" if linked else None)

    def of_mistakes(self, finding: Finding) -> list[_LinkedPlace]:
        """The pages of the mistakes that a finding names, in the language of this page."""
        found = dict[str, str]()
        for mistake in (each for made in finding.alternatives for each in made):
            exercise = self.exercises.get(mistake.name.partition("__")[0])
            address = exercise and mistake_address(self.site, exercise, mistake.name, current_language())
            if address:
                found[mistake.name] = address
        message = translatable("More on this mistake: {name}")
        return [_LinkedPlace(tr(message, name=words.mistake_name(n)), found[n]) for n in found]


def render(
    result: Result,
    notebook: str | None = None,
    digest: str = "",
    mark: Mark | None = None,
    heads: Heads | None = None,
    *,
    link_to: str = "",
) -> str:
    """Render the self-contained page of a submission, in the language of its result.

    Args:
        result: of grading.
        notebook: the relative path of the rendered notebook, where there is one.
        digest: of `page_digest.digest_of`, stored in the page.
        mark: the final points, after overrides and lateness.
        heads: the drawings of its attention, where there are some.
        link_to: the site to whose pages of known mistakes hints lead; the mark may name it, too.
    """
    href = quote(notebook) if notebook else None
    several = sum(name.endswith(".ipynb") for name in result.submission.files) > 1
    links = _Links(
        result.submission.files,
        None if several else href,
        site=link_to or (mark.link_to if mark else ""),
        exercises={exercise.symbol or exercise.name: exercise.name for exercise in result.exercises},
    )
    with words.in_its_language(result):
        in_order = without_repeated_reasons(sort_exercises(result.exercises))
        exercises = [_exercise_values(exercise, links, mark) for exercise in in_order]
        copied = any(f["pasteable"] for exercise in exercises for f in exercise["shown"])
        return fill(
            "page.html.j2",
            made_from=digest,
            result=result,
            unwalled=is_unwalled(result),
            name=name_of(result.submission.id, mark),
            team=", ".join(student.name or student.id for student in mark.team) if mark else "",
            counts=mark.counts if mark else "",
            alone=bool(mark and mark.differs_for_members),
            script=read_script("page.js") if copied else None,
            marked=_mark_values(result, mark),
            notebook=href,
            graded=result.graded_at.replace("T", " ").replace("Z", " UTC"),
            remarks=[_fields_and(remark, where=links.where(remark)) for remark in result.remarks],
            exercises=exercises,
            comments=[c.text for c in mark.comments if c.exercise is None] if mark else [],
            machine=machine_points(result),
            next_step=next_step([e for e in result.exercises if e.answer is None]),
            heads=attention_maps.template_values(heads) if heads and heads.drawings else None,
        )


def name_of(submission: str, mark: Mark | None) -> str:
    """The name on the roster of whoever handed in; the submission's id where there is none."""
    return (mark and mark.student and mark.student.name) or submission


def grouped_findings(
    exercise: ExerciseResult, name: str, pictures: int, link_to: str = ""
) -> Mapping[str, Any]:
    """The values that `findings.html.j2` needs in a notebook, where all can be read without styles and SVG.

    Args:
        exercise: whose findings are shown.
        name: prefix of their ids on the page.
        pictures: the number of causes with pictures; with others, a sentence says where the tensors differ.
        link_to: the site to whose pages of known mistakes hints lead; empty for none.
    """
    exercises = {exercise.symbol or exercise.name: exercise.name}
    links = _Links((), None, sanitized=True, site=link_to, exercises=exercises)
    return _grouped_findings(exercise, name, links, pictures)


def _mark_values(result: Result, mark: Mark | None) -> Mapping[str, Any]:
    """The final points, and why they differ from those that softmark gave."""
    if mark is None or mark.points is None:
        return {
            "points": result.points,
            "undecided": result.undecided_points,
            "most": result.max_points,
        } | _UNCHANGED
    return {
        "points": mark.points,
        "most": mark.max_points,
        "undecided": mark.undecided,
        "whole": mark.whole,
        "late": mark.late,
        "changed": bool(mark.set_by_hand(result)) or mark.late is not None or mark.regrade is not None,
        "regrade": mark.regrade,
        "raised": mark.raised,
    }


_UNCHANGED = {"whole": None, "late": None, "changed": False, "regrade": None, "raised": 0}


def _exercise_values(exercise: ExerciseResult, links: _Links, mark: Mark | None) -> Mapping[str, Any]:
    override = mark.override(exercise.name) if mark and not mark.whole else None
    comments = [c for c in mark.comments if c.exercise == exercise.name] if mark else []
    by_line = [_comments_on(definition, comments) for definition in exercise.definitions]
    placed = {comment for lines in by_line for each in lines.values() for comment in each}
    given_by_people = exercise.answer is not None
    name = anchor(exercise.name)
    return _fields_and(
        exercise,
        anchor=name,
        wrong=exercise.outcome.wrong,
        passed=exercise.outcome is Outcome.PASSED and not comments and not given_by_people,
        comments=[
            *([override.comment] if override and given_by_people and override.comment else []),
            *(_describe_comment(comment) for comment in comments if comment not in placed),
        ],
        word=words.exercise_word(exercise),
        fix=words.about_points(exercise),
        cause=describe_cause(exercise),
        override=None if given_by_people else override,
        trained=exercise.trained and trained.template_values(exercise.trained, name),
        counts=override.points if override else exercise.points,
        **_grouped_findings(exercise, name, links),
        timing=exercise.timing and timing.template_values(exercise.timing),
        cost=cost.template_values(exercise.findings),
        definitions=[
            _definition_values(definition, exercise.places, links, lines)
            for definition, lines in zip(exercise.definitions, by_line, strict=True)
        ],
    )


def machine_points(result: Result) -> tuple[float, float]:
    """What softmark gave, and of how many points: without the questions that people judge."""
    judged = [e for e in result.exercises if e.answer is None]
    return sum(e.points for e in judged), sum(e.max_points for e in judged)


def _comments_on(definition: Definition, comments: Sequence[Comment]) -> dict[int, list[Comment]]:
    """The comments on lines of a definition, by line."""
    last = definition.line + definition.code.rstrip("\n").count("\n")
    lines = dict[int, list[Comment]]()
    for comment in comments:
        if comment.line is not None and definition.line <= comment.line <= last:
            lines.setdefault(comment.line, []).append(comment)
    return lines


def _describe_comment(comment: Comment) -> str:
    says = words.with_points(comment)
    return says if comment.line is None else words.about(tr("line {line}", line=comment.line), says)


def _grouped_findings(
    exercise: ExerciseResult, name: str, links: _Links, pictures: int | None = None
) -> dict[str, Any]:
    """The causes in three groups, `shown` open, `folded` and `undecided`, and the checks that are `held`."""
    groups = sort_findings(exercise)
    own = exercise.definitions[0] if exercise.definitions else None
    numbers, drawn = count(1), count()

    def values(finding: Finding, draws: bool) -> dict[str, Any]:
        return _finding_values(finding, f"{name}-{next(numbers)}", links, own, draws=draws)

    def cause(cause: Cause) -> dict[str, Any]:
        first = values(cause.finding, pictures is None or next(drawn) < pictures)
        same = [values(replace(f, mistake=None, mistakes=()), pictures is None) for f in cause.same]
        return first | {"same": same, "count_same": count_same(cause)}

    return {
        "shown": [cause(each) for each in groups.open],
        "folded": [cause(each) for each in groups.alike],
        "undecided": [cause(each) for each in groups.undecided],
        "held": [values(finding, False) for finding in groups.passed],
    }


def _finding_values(
    finding: Finding, name: str, links: _Links, own: Definition | None, *, draws: bool
) -> dict[str, Any]:
    wrong = finding.outcome.wrong
    case = finding.case if wrong else None
    pasteable = case_as_code(finding, own) if case else None
    return _fields_and(
        finding,
        anchor=name,
        wrong=wrong,
        passed=finding.outcome is Outcome.PASSED,
        undecided=finding.outcome.undecided,
        broken=finding.outcome is Outcome.BROKEN,
        given=input_lines(case) if case else [],
        pictures=heat_maps.pair(case, sanitized=links.sanitized) if case and draws else None,
        differ=difference(case) if case and not draws else None,
        who_sees=_draw_reach(case.reach, links) if case and case.reach else None,
        pasteable=code_listing.highlight_code(pasteable) if pasteable else None,
        lead=words.lead(finding)[0],
        message=words.lead(finding)[1],
        where=links.where(finding.place),
        look=words.repairs(finding, links.files),
        departs=words.departure(finding, links.files),
        same=(),
        further=links.of_mistakes(finding),
    )


def _draw_reach(reach: Reach, links: _Links) -> Markup | None:
    drawing = draw_reach(reach)
    return as_image(drawing, describe_reach(reach)) if drawing and links.sanitized else drawing


def _definition_values(
    definition: Definition,
    places: tuple[Place, ...],
    links: _Links,
    comments: Mapping[int, list[Comment]],
) -> Mapping[str, Any]:
    where = links.where(Place(definition.file, definition.cell, definition.line))
    here = (definition.file, definition.cell)
    lines = range(definition.line, definition.line + definition.code.count("\n") + 1)
    return {
        "where": where,
        "listing": code_listing.list_definition(definition, places, comments),
        "marked": bool(comments)
        or any((place.file, place.cell) == here and place.line in lines for place in places),
    }


def _fields_and(data: Any, **more: Any) -> dict[str, Any]:
    """The fields of a dataclass, and further values for the template."""
    return {f.name: getattr(data, f.name) for f in fields(data)} | more
