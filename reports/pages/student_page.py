"""The page of one submission: what a student reads."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import quote

from graders.classroom.marks import Mark
from graders.language import trn
from graders.results.result import Definition, ExerciseResult, Finding, Outcome, Place, Remark, Result
from reports import words
from reports.figures import heat_maps, timing, trained
from reports.pages import code_listing
from reports.pages import pasteable as literals
from reports.pages.repeats import told_once
from reports.pages.templating import anchor, fill


@dataclass(frozen=True)
class _Where:
    text: str
    href: str | None


@dataclass(frozen=True)
class _Links:
    """How places are named and where they lead. `notebook` is None where no cell can be linked to."""

    files: tuple[str, ...]
    notebook: str | None

    def where(self, place: Place | Remark | None) -> _Where | None:
        text = place and words.place(place, self.files)
        if place is None or not text:
            return None
        linked = self.notebook is not None and place.cell is not None
        return _Where(text, f"{self.notebook}#cell-{place.cell}" if linked else None)


def render(result: Result, notebook: str | None = None, made_from: str = "", mark: Mark | None = None) -> str:
    """The page of a submission, complete in itself, in the language of its result.

    Args:
        result: what grading found.
        notebook: the relative path of the rendered notebook, where there is one.
        made_from: a digest for `reports.pages.page_digest`, kept in the page.
        mark: what counts in the end, where the instructor or lateness may have changed it.
    """
    href = quote(notebook) if notebook else None
    several = sum(name.endswith(".ipynb") for name in result.submission.files) > 1
    links = _Links(result.submission.files, None if several else href)
    with words.in_its_language(result):
        return fill(
            "page.html.j2",
            made_from=made_from,
            result=result,
            marked=_marked(result, mark),
            notebook=href,
            graded=result.graded_at.replace("T", " ").replace("Z", " UTC"),
            remarks=[_plus(remark, where=links.where(remark)) for remark in result.remarks],
            exercises=[_exercise(exercise, links, mark) for exercise in result.exercises],
        )


def part(finding: Finding, name: str, files: tuple[str, ...]) -> Mapping[str, Any]:
    """What `finding.html.j2` needs of a finding, for other pages than this one.

    Args:
        finding: what is shown.
        name: its id on the page.
        files: those of the submission.
    """
    return _finding(finding, name, _Links(files, None))


def _marked(result: Result, mark: Mark | None) -> Mapping[str, Any]:
    """What counts, and where it is not what softmark found, why."""
    if mark is None or mark.points is None:
        return {"points": result.points, "undecided": result.undecided_points} | _UNCHANGED
    return {
        "points": mark.points,
        "undecided": mark.undecided,
        "whole": mark.whole,
        "late": mark.late,
        "changed": bool(mark.overrides) or mark.late is not None,
    }


_UNCHANGED = {"whole": None, "late": None, "changed": False}


def _exercise(exercise: ExerciseResult, links: _Links, mark: Mark | None) -> Mapping[str, Any]:
    override = mark.override(exercise.name) if mark and not mark.whole else None
    name = anchor(exercise.name)
    places = tuple(f.place for f in exercise.findings if f.place is not None)
    return _plus(
        exercise,
        anchor=name,
        wrong=exercise.outcome.wrong,
        tally=_tally(exercise),
        override=override,
        trained=exercise.trained and trained.shown(exercise.trained, name),
        counts=override.points if override else exercise.points,
        findings=[_finding(f, f"{name}-{i}", links) for i, f in enumerate(told_once(exercise.findings), 1)],
        timing=exercise.timing and timing.shown(exercise.timing, name),
        definitions=[_definition(d, places, links) for d in exercise.definitions],
    )


def _finding(finding: Finding, name: str, links: _Links) -> Mapping[str, Any]:
    wrong = finding.outcome.wrong
    case = finding.case if wrong else None
    pasteable = literals.pasteable(case) if case else None
    return _plus(
        finding,
        anchor=name,
        wrong=wrong,
        passed=finding.outcome is Outcome.PASSED,
        undecided=finding.outcome.undecided,
        broken=finding.outcome is Outcome.BROKEN,
        pictures=heat_maps.pair(case, name) if case else None,
        pasteable=code_listing.literal(pasteable) if pasteable else None,
        where=links.where(finding.place),
    )


def _definition(definition: Definition, places: tuple[Place, ...], links: _Links) -> Mapping[str, Any]:
    where = links.where(Place(definition.file, definition.cell, definition.line))
    return {"where": where, "listing": code_listing.listing(definition, places)}


def _tally(exercise: ExerciseResult) -> str | None:
    passed = sum(f.outcome is Outcome.PASSED for f in exercise.findings)
    if not exercise.outcome.wrong or not exercise.findings:
        return None
    checks = len(exercise.findings)
    return trn("{passed} of {n} check passed", "{passed} of {n} checks passed", checks, passed=passed)


def _plus(data: Any, **more: Any) -> dict[str, Any]:
    """A dataclass's fields and what the page needs beside them."""
    return {f.name: getattr(data, f.name) for f in fields(data)} | more
