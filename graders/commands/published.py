"""Pages and gradebook of a run, with the marks that its files give: for `grade` and `report` alike."""

from pathlib import Path

from graders.marking import marked
from graders.marks import Mark
from graders.result import Result
from reports import publish


def publish_marked(
    out: Path, loaded: tuple[list[Result], list[str]] | None = None, anew: bool = False
) -> list[str]:
    """Write the class page, `grades.csv`, and the pages of those whose mark is not the machine's alone.

    Args:
        out: where the results lie.
        loaded: these results, where they have been read already.
        anew: write every student's page.

    Returns:
        What the instructor should know.
    """
    results, notes = loaded or publish.load(out)
    marks, more = marked(out, results)
    by_id = {mark.id: mark for mark in marks}
    for result in results:
        mark = by_id[result.submission.id]
        if anew or _changed(mark):
            publish.publish_one(out, result, mark)
    publish.publish_class(out, results, marks, [*notes, *more])
    return [*notes, *more]


def _changed(mark: Mark) -> bool:
    return bool(mark.overrides or mark.late)
