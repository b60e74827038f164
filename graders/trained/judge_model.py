"""A trained model judged: measured stage by stage, its criteria applied to what is known."""

import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.check_api.compare import Violation
from graders.check_api.criterion import Criterion, ModelFacts, Share
from graders.course.exercise import Exercise
from graders.extraction.extract import Missing, Source
from graders.judging import score
from graders.language import tr, translatable
from graders.results.result import Definition, ExerciseResult, Finding, Outcome
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.submission.decode import CHECKPOINTS, is_checkpoint
from graders.submission.read import Submission
from graders.trained.fresh_process import FreshProcesses, Parts, Stopped
from graders.trained.held_out import evaluation_set
from graders.trained.measure import measure

SAME = translatable("not looked at, for the same reason")


def judge_model(
    exercise: Exercise,
    submission: Submission,
    model: Source,
    beside: Mapping[str, Source | Missing],
    box: Box,
    seed: int,
) -> ExerciseResult:
    """The result of an exercise that asks for a trained model. Never raises.

    Args:
        exercise: with its criteria and its rule.
        submission: with the checkpoint.
        model: the code of its class.
        beside: the code of `encode` and `decode`.
        box: free of other processes of this submission.
        seed: of the run.
    """
    shown = _definitions(model, beside)
    if submission.checkpoint is None:
        return score.unjudged_result(exercise, Outcome.NOT_ATTEMPTED, _absent(submission), shown)
    parts = Parts(model, beside["encode"], beside["decode"], submission.checkpoint)
    bench = FreshProcesses(box, time.monotonic() + box.limits.trained_s)
    found: list[ModelFacts] = []
    stopped = None
    try:
        assert exercise.rule is not None
        for seen in measure(bench, parts, evaluation_set(exercise.rule, seed), seed):
            found.append(seen)
    except Stopped as why:
        stopped = why
    except Exception:  # a fault of ours here must not cost the other exercises anything
        stopped = Stopped(Outcome.BROKEN, tr(score.OURS), staff=traceback.format_exc(limit=-6))
    findings = [_finding(exercise, each, found, stopped) for each in exercise.criteria]
    result = score.exercise_result(exercise, findings, shown)
    return replace(result, trained=found[-1].trained if found else None)


def _absent(submission: Submission) -> str:
    refused = [r.says for r in submission.remarks if r.file is not None and is_checkpoint(r.file)]
    first, second, *_ = CHECKPOINTS
    absent = tr(
        "There is no {first} or {second}: hand it in beside the code, in a folder or a zip.",
        first=first,
        second=second,
    )
    return refused[0] if refused else absent


def _definitions(model: Source, beside: Mapping[str, Source | Missing]) -> tuple[Definition, ...]:
    own = [definition for part in (model, *beside.values()) for definition in part.definitions]
    return tuple(dict.fromkeys(own))


def _finding(
    exercise: Exercise, each: Criterion, seen: Sequence[ModelFacts], stopped: Stopped | None
) -> Finding:
    finding = Finding(each.name, Outcome.PASSED, 0, exercise.points_of(each), each.says)
    if each.at <= len(seen):
        return _applied(finding, each, seen[-1])
    assert stopped is not None
    first = each.at == len(seen) + 1 and each is next(c for c in exercise.criteria if c.at == each.at)
    return replace(
        finding,
        outcome=stopped.outcome,
        message=str(stopped) if first else tr(SAME),
        place=stopped.place if first else None,
        staff=stopped.staff if first else None,
    )


def _applied(finding: Finding, each: Criterion, seen: ModelFacts) -> Finding:
    try:
        said = each.body(seen)
    except Violation as violation:
        return replace(finding, outcome=Outcome.FAILED, message=safe_text(str(violation), 1_000))
    except Exception:  # as in `judge_model`
        staff = traceback.format_exc(limit=-6)
        return replace(finding, outcome=Outcome.BROKEN, message=tr(score.OURS), staff=staff)
    if not isinstance(said, Share):
        return replace(finding, points=finding.max_points, message=said and safe_text(said, 1_000))
    outcome = Outcome.PASSED if said.of >= 1 else Outcome.FAILED
    return replace(finding, outcome=outcome, points=round(finding.max_points * said.of, 2), message=said.says)
