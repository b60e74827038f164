"""The page of submissions that are alike, each pair side by side: for the staff alone."""

from collections.abc import Mapping, Sequence
from typing import Any

from graders.results.result import ExerciseResult, Result
from reports.class_statistics.tally import find_exercise
from reports.pages import code_listing
from reports.pages.templating import anchor, fill
from reports.similarity.find_pairs import Pair

MAX_EXERCISES = 6  # of a pair, the most alike ones
LONGEST = 20_000  # characters of an answer


def render(title: str, pairs: Sequence[Pair], results: Mapping[str, Result]) -> str:
    """Render the page in the current language. `results` are complete ones, by the submissions' ids."""
    return fill("similar.html.j2", title=title, pairs=[_values(pair, results) for pair in pairs])


def _values(pair: Pair, results: Mapping[str, Result]) -> Mapping[str, Any]:
    both = results[pair.first], results[pair.second]
    exercises = [_exercise(name, both) for name in pair.exercises[:MAX_EXERCISES]]
    return {
        "first": pair.first,
        "second": pair.second,
        "anchor": anchor(f"{pair.first} {pair.second}"),
        "percent": round(100 * pair.share),
        "exercises": [values for values in exercises if values],
    }


def _exercise(name: str, both: tuple[Result, Result]) -> Mapping[str, Any] | None:
    found = [(result.submission.id, find_exercise(result, name)) for result in both]
    codes = [(who, code_listing.highlight_code(_code(e))) for who, e in found if e is not None]
    titles = [e.title for _, e in found if e is not None]
    return {"title": titles[0], "codes": codes} if titles else None


def _code(exercise: ExerciseResult) -> str:
    return "\n\n".join(definition.code for definition in exercise.definitions)[:LONGEST]
