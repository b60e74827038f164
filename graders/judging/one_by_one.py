"""Judge code for one sequence, or for one head: one check fails, the others call it for each by itself.

Code that takes no batch axis raises in every check. Once checks have failed, it is called for each sequence,
and its answers are put together in the box (`softmark_worker/one_by_one.py`).
"""

import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.leading_axes import BatchAxes
from graders.check_api.properties import first_tensor
from graders.course.exercise import Exercise
from graders.judging.assign_arguments import assign_arguments
from graders.judging.fixed_sizes import Judged, points_of
from graders.judging.judge import Judge
from graders.language import tr
from graders.results.result import Finding, Outcome
from graders.sandbox.process_lost import ProcessLost

OWNERS = ("treats_sequences_apart", "knows_neither_order_nor_batch")  # the checks that most exercises have


def judge_one_by_one(free: Judge, judged: Judged) -> Judged:
    """What was judged; or all checks with calls for each sequence alone, if the code takes no batch.

    Args:
        free: the judge whose draws have any sizes.
        judged: with whole batches.
    """
    batch = _batch_of(free.exercise)
    if batch is None or judged.judge.gives_up or not _refuses_batches(judged, batch):
        return judged
    if _takes_batch_second(judged.judge):
        return _tell_batch_second(judged, batch)
    candidate, before = free.candidate, judged.judge
    with_batches = candidate.source
    with contextlib.suppress(ProcessLost):  # the checks of whole batches have told what is wrong
        for axes in batch.lacking:
            candidate.use_source(replace(with_batches, axes_lacking=axes))
            again = _judge_each(batch, free, judged)
            if again is not None and _merit(again.findings) > _merit(judged.findings):
                if _holds_core(again):
                    return again
                candidate.use_source(with_batches)
                if _is_known(free, before):
                    break  # it takes whole batches, and makes a known mistake
                candidate.use_source(replace(with_batches, axes_lacking=axes))
                return again
    with contextlib.suppress(ProcessLost):
        candidate.use_source(with_batches)
    candidate.use_mapping_draws(partial(before.draws.mapping_draws, before.exercise))
    return judged


def _is_known(free: Judge, before: Judge) -> bool:
    """Whether known mistakes explain what the code answers to whole batches."""
    known = free.draws.known_mistakes(free.exercise)
    free.candidate.use_mapping_draws(partial(before.draws.mapping_draws, before.exercise))
    with contextlib.suppress(Raised):
        return known is not None and bool(known.explain(free.candidate).alternatives)
    return False


def fail_batch(free: Judge, judged: Judged) -> Judged:
    """The same; where the code is called for each sequence alone, the check about batches has failed."""
    batch, axes = _batch_of(free.exercise), free.candidate.source.axes_lacking
    if batch is None or not axes:
        return judged
    findings = [_fail(f, axes) if f.check == batch.check else f for f in judged.findings]
    return replace(judged, findings=findings, about_sizes=judged.about_sizes | {batch.check})


def _merit(findings: Sequence[Finding]) -> tuple[float, int]:
    """The points, and how few raise: an answer without points, as the pair in the other order, tells more."""
    return points_of(findings), -sum(finding.outcome is Outcome.RAISED for finding in findings)


def _batch_of(exercise: Exercise) -> BatchAxes | None:
    """The batch axis of an exercise, and the check about it; None where it has no such check.

    An exercise that is cut to some of its checks may lack the one that its options name.
    """
    names = {check.name for check in exercise.value_checks}
    usual = next((BatchAxes(name) for name in OWNERS if name in names), None)
    batch = exercise.options.batch or usual
    return batch if batch is not None and batch.check in names else None


def _refuses_batches(judged: Judged, batch: BatchAxes) -> bool:
    """Whether the check about batches raises, or is lost and most raise; and none of values holds."""
    outcomes = {f.check: f.outcome for f in judged.findings}
    raised = [check for check, outcome in outcomes.items() if outcome is Outcome.RAISED]
    lost = batch.check in outcomes and outcomes[batch.check].wrong
    mostly = lost and 2 * len(raised) > len(outcomes)
    return (batch.check in raised or mostly) and not _holds_core(judged)


def _holds_core(judged: Judged) -> bool:
    cores = {check.name for check in judged.judge.exercise.value_checks if check.core}
    return any(f.outcome is Outcome.PASSED for f in judged.findings if f.check in cores)


def _takes_batch_second(judge: Judge) -> bool:
    """Whether a module takes (S, B, E): what stands along the second axis is then answered by itself."""
    draw = judge.draws.diagnostic_draws(judge.exercise)[0]
    vectors = list(itertools.takewhile(_are_vectors, getattr(draw, "arguments", ())))
    if not vectors or not hasattr(draw, "config"):
        return False
    turned = [value.transpose(0, 1).contiguous() for value in vectors]
    with contextlib.suppress(Raised, ProcessLost, Violation):
        module = judge.candidate.with_random_weights(0, **draw.config).to(turned[0].dtype)
        whole, one, first = (
            first_tensor(module(*given))
            for given in (turned, [t[:, :1] for t in turned], [turned[0][:1], *turned[1:]])
        )
        apart = whole.shape[:2] == turned[0].shape[:2] and torch.allclose(whole[:, :1], one)
        return apart and (len(turned) > 1 or not torch.allclose(whole[:1], first))
    return False


def _are_vectors(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.dim() == 3 and value.is_floating_point()


def _tell_batch_second(judged: Judged, batch: BatchAxes) -> Judged:
    message = tr(
        "your code takes the batch as the second axis, (S, B, E), where (B, S, E) is due: look for "
        "batch_first, and for the axes of a view or a transpose"
    )
    findings = [
        replace(f, outcome=Outcome.FAILED, message=message, case=None, place=None, output=None)
        if f.check == batch.check
        else f
        for f in judged.findings
    ]
    return replace(judged, findings=findings, about_sizes=judged.about_sizes | {batch.check})


def _judge_each(batch: BatchAxes, free: Judge, judged: Judged) -> Judged | None:
    """All checks, with calls for each sequence; None where the check about batches raises so."""
    assign_arguments(free)
    if judged.judge.try_named(batch.check).outcome is Outcome.RAISED:
        return None
    fixed = free.sizes_not_taken()
    judge, about_sizes = free.at_sizes(fixed)
    checks = judge.exercise.value_checks
    findings = [about_sizes.get(check.name) or judge.try_check(check) for check in checks]
    return fail_batch(free, Judged(judge, findings, fixed, frozenset(about_sizes)))


def _fail(finding: Finding, axes: int) -> Finding:
    one = tr(
        "your code takes one sequence, without the batch axis: look for .T, which turns all axes, and for "
        "shapes of too few. All other checks were tried with one sequence after the other"
    )
    two = tr(
        "your code takes one head of one sequence, without the axes of the batch and of the heads: look for "
        ".T, which turns all axes, and for shapes of too few. All other checks were tried with one head "
        "after the other"
    )
    told = replace(finding, outcome=Outcome.FAILED, points=0, message=one if axes == 1 else two)
    return replace(told, case=None, place=None, output=None)
