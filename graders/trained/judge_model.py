"""Judge a trained model: measure it stage by stage, and apply the exercise's criteria to the facts."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from graders.check_api.compare import Violation
from graders.check_api.criterion import Criterion, Doubt, ModelFacts, Share
from graders.course.exercise import Exercise
from graders.extraction.extract import Missing, Source
from graders.judging import score
from graders.language import tr, translatable
from graders.results.result import Definition, ExerciseResult, Finding, Outcome
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.sandbox.own_time import TimeBudget
from graders.sandbox.process_lost import model_time
from graders.submission.decode import CHECKPOINTS, is_checkpoint
from graders.submission.read import Checkpoint, Submission
from graders.trained.fresh_process import FreshProcesses, MeasurementStopped, Parts, Processes
from graders.trained.held_out import make_evaluation_set
from graders.trained.measure import measure

TRIED = 4  # pairs of code and checkpoint; each may take as long as the first
NOT_REACHED = translatable("not judged, for the same reason")


@dataclass(frozen=True)
class Version:
    """The code of a model's class, and of `encode` and `decode`."""

    model: Source
    tokenizer_code: Mapping[str, Source | Missing]


def judge_models(
    exercise: Exercise,
    submission: Submission,
    versions: Sequence[Version],
    box: Box,
    seed: int,
    spent: float = 0.0,
) -> ExerciseResult:
    """Judge an exercise that asks for a trained model. Never raises.

    Where nothing says which code or which checkpoint is the last, each is tried, and the best counts.

    Args:
        exercise: with its criteria and its loss policy.
        submission: with the checkpoints.
        versions: the code, the likeliest first.
        box: without other processes of this submission.
        seed: of the run.
        spent: own seconds that the submission's other exercises have taken.
    """
    if not submission.checkpoints:
        definitions = _definitions(versions[0].model, versions[0].tokenizer_code)
        return score.unjudged_result(exercise, *_why_absent(submission), definitions)
    pairs = list(product(versions, submission.checkpoints))[:TRIED]
    results = list[ExerciseResult]()
    for version, checkpoint in pairs:
        results.append(_judge_model(exercise, version, checkpoint, box, seed=seed, spent=spent))
        if results[-1].points >= exercise.points:
            break
    best = max(results, key=lambda result: result.points)
    names = [checkpoint.name for checkpoint in submission.checkpoints]
    files = [version.model.definitions[0].file for version in versions]
    several = [*(files if len(files) > 1 else ()), *(names if len(names) > 1 else ())]
    return replace(best, versions=tuple(sorted({*several})))


def _judge_model(
    exercise: Exercise, version: Version, checkpoint: Checkpoint, box: Box, seed: int, spent: float
) -> ExerciseResult:
    code = version.tokenizer_code
    parts = Parts(version.model, code["encode"], code["decode"], checkpoint)
    processes = FreshProcesses(box, TimeBudget([model_time(box.limits, spent)], seconds_per_byte=0.0))
    return judge_parts(exercise, parts, processes, seed)


def judge_parts(exercise: Exercise, parts: Parts, processes: Processes, seed: int) -> ExerciseResult:
    """Judge a trained model by its parts, wherever these run. Never raises an `Exception`."""
    stages: list[ModelFacts] = []
    stopped = None
    try:
        assert exercise.rule is not None
        for facts in measure(processes, parts, make_evaluation_set(exercise.rule, seed), seed):
            stages.append(facts)
    except MeasurementStopped as reason:
        stopped = reason
    except Exception:  # a fault of ours here must not cost the other exercises anything
        stopped = MeasurementStopped(Outcome.BROKEN, tr(score.OURS), staff=traceback.format_exc(limit=-6))
    findings = [_judge(exercise, criterion, stages, stopped) for criterion in exercise.criteria]
    definitions = _definitions(parts.model, {"encode": parts.encode, "decode": parts.decode})
    result = score.exercise_result(exercise, findings, definitions)
    return replace(result, trained=stages[-1].trained if stages else None)


def _why_absent(submission: Submission) -> tuple[Outcome, str]:
    """The outcome without a checkpoint, and the sentence that says why there is none."""
    refusals = [r.says for r in submission.remarks if r.file is not None and is_checkpoint(r.file)]
    first, second, *_ = CHECKPOINTS
    absent = tr(
        "There is no {first} or {second}: hand it in beside the code, in a folder or a zip.",
        first=first,
        second=second,
    )
    return (Outcome.UNREADABLE, refusals[0]) if refusals else (Outcome.NOT_ATTEMPTED, absent)


def _definitions(model: Source, tokenizer_code: Mapping[str, Source | Missing]) -> tuple[Definition, ...]:
    own = [definition for part in (model, *tokenizer_code.values()) for definition in part.definitions]
    return tuple(dict.fromkeys(own))


def _judge(
    exercise: Exercise, criterion: Criterion, stages: Sequence[ModelFacts], stopped: MeasurementStopped | None
) -> Finding:
    points = exercise.points_of(criterion)
    finding = Finding(criterion.name, Outcome.PASSED, 0, points, criterion.says)
    if criterion.at <= len(stages):
        return _apply(finding, criterion, stages[-1])
    assert stopped is not None
    same_stage = [c for c in exercise.criteria if c.at == criterion.at]
    first = criterion.at == len(stages) + 1 and criterion is same_stage[0]
    return replace(
        finding,
        outcome=stopped.outcome,
        message=str(stopped) if first else tr(NOT_REACHED),
        place=stopped.place if first else None,
        staff=stopped.staff if first else None,
        limit=stopped.limit,
    )


def _apply(finding: Finding, criterion: Criterion, facts: ModelFacts) -> Finding:
    try:
        verdict = criterion.body(facts)
    except Violation as violation:
        return replace(finding, outcome=Outcome.FAILED, message=safe_text(str(violation), 1_000))
    except Exception:  # a fault of ours, as in `judge_model`
        staff = traceback.format_exc(limit=-6)
        return replace(finding, outcome=Outcome.BROKEN, message=tr(score.OURS), staff=staff)
    if isinstance(verdict, Doubt):
        return replace(finding, outcome=Outcome.SKIPPED, message=verdict.says, staff=verdict.staff)
    if not isinstance(verdict, Share):
        return replace(finding, points=finding.max_points, message=verdict and safe_text(verdict, 1_000))
    outcome = Outcome.PASSED if verdict.of >= 1 else Outcome.FAILED
    return replace(
        finding, outcome=outcome, points=round(finding.max_points * verdict.of, 2), message=verdict.says
    )
