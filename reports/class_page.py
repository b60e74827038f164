"""The page of a class: who has how many points, and what goes wrong how often."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from graders.result import Outcome, Result
from reports import pictures, tally, words
from reports.templating import anchor, fill


def render(results: Sequence[Result], notes: Sequence[str] = ()) -> str:
    """The page of a class, complete in itself.

    Args:
        results: one per submission, in the order of the rows.
        notes: what else its reader should know, such as results that could not be read.
    """
    names = tally.exercises(results)
    most = max((result.max_points for result in results), default=0)
    return fill(
        "class.html.j2",
        title=" · ".join(dict.fromkeys(result.title for result in results)) or "No submissions",
        results=results,
        notes=notes,
        most=most,
        exercises=[(title, anchor(name)) for name, title in names.items()],
        rows=[_row(result, list(names)) for result in results],
        facts=_facts(results),
        bins=_bins(results, most),
        histogram=pictures.distribution([r.points for r in results], most) if results else None,
        failing=_failing(results, names),
        notable=[(entry, link(entry.id)) for entry in tally.notable(results)],
        undecided=any(result.undecided_points for result in results),
        unboxed=[(r.submission.id, link(r.submission.id)) for r in results if r.sandbox == "open"],
        staff=[(r.submission.id, e.staff) for r in results for e in r.exercises if e.staff],
    )


def link(submission: str) -> str:
    """The relative address of a submission's page."""
    return quote(submission, safe="") + "/index.html"


def _facts(results: Sequence[Result]) -> list[tuple[str, str]]:
    facts = [("Submissions", str(len(results)))]
    if results:
        reached = [result.points for result in results]
        facts.append(("Mean", words.points(statistics.fmean(reached))))
        facts.append(("Median", words.points(statistics.median(reached))))
        facts.append(("Range", f"{words.points(min(reached))} to {words.points(max(reached))}"))
        facts.append(("Box", ", ".join(dict.fromkeys(result.sandbox for result in results))))
    return facts


def _bins(results: Sequence[Result], most: float) -> list[tuple[str, int]]:
    found = pictures.bins([result.points for result in results], most)
    last = len(found) - 1
    return [
        (f"{words.points(low)} to {'' if i == last else 'under '}{words.points(high)}", count)
        for i, (low, high, count) in enumerate(found)
    ]


def _row(result: Result, names: Sequence[str]) -> Mapping[str, Any]:
    page = link(result.submission.id)
    found = [tally.exercise(result, name) for name in names]
    return {
        "id": result.submission.id,
        "link": page,
        "result": result,
        "cells": [e and {"exercise": e, "link": f"{page}#{anchor(e.name)}"} for e in found],
    }


def _failing(results: Sequence[Result], names: Mapping[str, str]) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    for name, title in names.items():
        checks = [_check(check, anchor(name)) for check in tally.checks(results, name)]
        absent = [r.submission.id for r in results if _absent(r, name)]
        if checks or absent:
            made = [_mistake(mistake, anchor(name)) for mistake in tally.mistakes(results, name)]
            entry = {"title": title, "anchor": anchor(name), "checks": checks, "mistakes": made}
            found.append(entry | {"absent": [(who, link(who)) for who in absent]})
    return found


def _absent(result: Result, name: str) -> bool:
    exercise = tally.exercise(result, name)
    return exercise is None or exercise.outcome is Outcome.NOT_ATTEMPTED


def _mistake(made: tally.MistakeTally, place: str) -> Mapping[str, Any]:
    return {
        "name": words.mistake(made.mistake.name),
        "hint": made.mistake.hint,
        "who": [(who, f"{link(who)}#{place}") for who in made.ids],
    }


def _check(check: tally.CheckTally, place: str) -> Mapping[str, Any]:
    return {
        "says": check.says,
        "failed": len(check.failing),
        "decided": check.decided,
        "who": [(who, f"{link(who)}#{place}", outcome) for who, outcome in check.failing],
    }
