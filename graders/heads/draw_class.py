"""Draw a class: `OUT/<id>/heads.json` for each submission, several at a time, after it was graded.

No result depends on it: a graded class gets its drawings without being graded again.
"""

import hashlib
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path

from graders.batch import cache_key
from graders.batch.class_run import ClassRun
from graders.batch.grade_all import MEMORY_BYTES, patience_of
from graders.batch.part_record import digest_of
from graders.batch.process_pool import WorkerDied, spread
from graders.batch.publish_page import describe_not_plain, describe_page_failure
from graders.classroom.intake.download import Entry
from graders.course.exercise import Assignment
from graders.heads.draw_heads import Drawer
from graders.heads.open_request import OpenedRequest
from graders.heads.pretrained import ModelFiles
from graders.heads.request import Request
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.atomic_write import NotPlain, write_atomically
from graders.results.heads import NAME, Drawing, Heads, read_heads, to_json
from graders.results.result import Result
from graders.results.store import read_result
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits
from graders.submission.resource_bounds import bound_memory


@dataclass(frozen=True, kw_only=True)
class ClassToDraw:
    """How a class is drawn.

    Attributes:
        assignment: whose exercises say how they are drawn.
        draws: of the run, for matching parameters.
        level: of isolation.
        limits: of a submission.
        device: where the code runs.
        out: the folder of the run.
        publish: writes the pages of a submission anew, and returns why it could not, if so.
        request: the sentence.
        pretrained: what is drawn beside every submission's own heads, if anything is.
        run: the digest of all that the drawings depend on, beside the submissions.
    """

    assignment: Assignment
    draws: Draws
    level: IsolationLevel
    limits: Limits
    device: str
    out: Path
    publish: Callable[[Entry, Result], str]
    request: Request
    pretrained: Drawing | None
    run: str


def digest_of_drawing(facts: Mapping[str, str], request: Request, files: ModelFiles | None) -> str:
    """The digest of all that the drawings of a run depend on, from the facts of its results."""
    ours = [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(Path(__file__).parent.glob("*.py"))
    ]
    model = "" if request.model is None or files is None else repr((files.digest, request.model))
    more = {"sentence": request.sentence, "tokens": request.by, "model": model, "heads": " ".join(ours)}
    return digest_of({**facts, **more})


def draw_run(opened: OpenedRequest, run: ClassRun) -> Iterator[str | None]:
    """Draw all submissions of a run, and write their pages anew; yields as `draw_class`."""
    plan = ClassToDraw(
        assignment=run.plan.assignment,
        draws=run.plan.draws,
        level=run.plan.level,
        limits=run.plan.limits,
        device=run.plan.device,
        out=run.writer.out,
        publish=run.writer.write_pages,
        request=opened.request,
        pretrained=opened.pretrained,
        run=digest_of_drawing(run.facts, opened.request, opened.files),
    )
    return draw_class(run.entries, plan, run.jobs)


def draw_class(todo: list[Entry], plan: ClassToDraw, jobs: int) -> Iterator[str | None]:
    """Draw all submissions that are not drawn yet; yields why one was not, for staff, or None."""
    for exercise in plan.assignment.exercises:
        if exercise.options.drawn is not None and exercise.rule is None:
            plan.draws.mapping_draws(exercise)  # once, and not in each process
    for entry, problem in spread(todo, _draw, jobs, partial(_begin, plan), patience_of(plan.limits)):
        if isinstance(problem, WorkerDied):
            yield describe_failure(entry.id, str(problem))
        else:
            yield problem


def describe_failure(name: str, reason: str) -> str:
    """That the heads of a submission are not drawn, for staff."""
    return tr("softmark: the heads of {id} are not drawn: {reason}", id=name, reason=reason)


_plan: ClassToDraw
_drawer: Drawer


def _begin(plan: ClassToDraw) -> None:
    """Make the drawer of this process, with a warm box."""
    global _plan, _drawer  # only globals last from one item of a process to the next
    box = Box(plan.level, plan.limits, plan.device)
    box.start()
    Finalize(None, box.close, exitpriority=0)  # no `with` block can span all items of a process
    bound_memory(MEMORY_BYTES)
    _plan, _drawer = plan, Drawer(plan.assignment, plan.draws, box, plan.request, plan.pretrained)


def _draw(entry: Entry) -> str | None:
    result = read_result(_plan.out, entry.id)
    if result is None:  # which the run reports
        return None
    key = cache_key.of_submission(_plan.run, entry.id, entry.path)
    kept = read_heads(_plan.out / entry.id)
    if kept is None or not key or kept.key != key or kept.sha256 != result.submission.sha256:
        try:
            drawings = _drawer.draw(entry.path, entry.id)
        except Exception:  # a fault of ours on one submission must not cost the others theirs
            return describe_failure(entry.id, traceback.format_exc(limit=-6))
        heads = Heads(key, result.submission.sha256, _plan.request.sentence, drawings)
        try:
            write_atomically(_plan.out / entry.id / NAME, to_json(heads).encode())
        except NotPlain as error:
            return describe_failure(entry.id, describe_not_plain(error))
    failed = _plan.publish(entry, result)
    return describe_page_failure(entry.id, failed) if failed else None
