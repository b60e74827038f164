"""Judge code at sizes that it fixes and that are found by trying, once a check has failed.

The constructor takes the size and does nothing with it; or it has no argument for one without a usual value.
"""

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from graders.check_api.candidate import Raised
from graders.check_api.compare import OtherParameters
from graders.check_api.usual_sizes import ONE_LENGTH, UsualSize
from graders.judging.explain_in_time import explain_safely, in_time
from graders.judging.found_sizes import possible_values
from graders.judging.judge import Judge
from graders.judging.name_mistakes import name_mistakes
from graders.judging.undecidable import decide_where_wrong
from graders.judging.usual_sizes import (
    fail_fixed,
    failed_for_sizes_ignored,
    is_absent,
    is_ignored,
)
from graders.judging.width_of_heads import find_width_of_heads
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Mistake, Outcome
from graders.sandbox.process_lost import ProcessLost

IGNORED = "_ignored"  # how the name of a mistake ends that ignores an argument
LARGE = 100_000  # values in a module, beyond which few draws of each check are tried
LONG = 64  # positions, where code answers that number alone
COLUMNS = 7  # of each head, where a number of heads is tried
FEW = 2  # draws of a large module
Fixed = dict[UsualSize, Finding]


@dataclass(frozen=True)
class Judged:
    """The findings of all checks, and the judge that made them.

    Attributes:
        judge: at the values of the sizes that the code fixes.
        findings: of the checks, in their order.
        fixed: these sizes, with the findings of the checks about them on draws with any sizes.
        about_sizes: the names of the checks that are about these sizes.
    """

    judge: Judge
    findings: list[Finding]
    fixed: Fixed
    about_sizes: frozenset[str]

    def decided(self) -> list[Finding]:
        """The findings; where the code is wrong, the undecided ones are decided on the draws that can be."""
        judge, try_again = self.judge, partial(self.judge.try_check, wrong=True)
        return decide_where_wrong(judge.exercise, judge.draws, self.findings, try_again)


def judge_at_fixed_sizes(free: Judge, judged: Judged, *, names_mistakes: bool) -> Judged:
    """What was judged; or all checks at the sizes that the code fixes, if that explains more.

    Args:
        free: the judge whose draws have any sizes.
        judged: at the usual values of sizes that the constructor does not take.
        names_mistakes: whether the checks about sizes get the known mistakes that explain them.
    """
    if judged.judge.gives_up or not free.exercise.options.sizes:
        return judged
    fixed: Fixed = {}
    others: Fixed = {}
    with contextlib.suppress(Raised, ProcessLost):  # the checks met it too, and said so
        fixed = _find_ignored(free, judged)
        if others := _find_width_of_heads(free, judged):
            fixed = {**judged.fixed, **others}
        elif others := _find_others(free, judged):
            fixed = _find_values(free, {**_declared(free, judged.fixed), **_declared(free, fixed), **others})
    if not fixed:
        return _tell_absent(judged, others)
    if names_mistakes:
        fixed = name_others(free, fixed) if others else {s: _name(free, s, f) for s, f in fixed.items()}
    again = judge_at(free, fixed if others else {**judged.fixed, **fixed})
    if points_of(again.findings) > points_of(judged.findings):
        return again
    before = judged.judge
    before.candidate.use_mapping_draws(partial(before.draws.mapping_draws, before.exercise))
    return _tell_absent(judged, others)


def _tell_absent(judged: Judged, others: Fixed) -> Judged:
    """The same; where nothing is explained by a value, a size without an argument costs its check too."""
    told = {f.check: f for f in judged.findings}
    absent = [size for size in others if is_absent(size, judged.judge.candidate)]
    for size in absent:
        told[size.check] = fail_fixed(size, judged.judge.candidate, told[size.check], None)
    about_sizes = judged.about_sizes | {size.check for size in absent}
    return replace(judged, findings=[told[f.check] for f in judged.findings], about_sizes=about_sizes)


def judge_at(free: Judge, fixed: Fixed) -> Judged:
    """All checks at the values that these sizes have in the code; fewer draws of a large module.

    Or of texts that are always long.
    """
    config = free.draws.diagnostic_draws(free.exercise)[0].config
    is_long = any(size.limit == ONE_LENGTH and size.usual(config) > LONG for size in fixed)
    if is_long or sum(map(math.prod, free.candidate.construct(**config).shapes().values())) > LARGE:
        free = replace(free, draws=free.draws.only(range(FEW)))
    judge, about_sizes = free.at_sizes(fixed)
    checks = judge.exercise.value_checks
    findings = [about_sizes.get(check.name) or judge.try_check(check) for check in checks]
    return Judged(judge, findings, fixed, frozenset(about_sizes))


def _find_ignored(free: Judge, judged: Judged) -> Fixed:
    found = {finding.check: finding for finding in judged.findings}
    return failed_for_sizes_ignored(free.exercise, free.candidate, free.draws, found)


def _find_others(free: Judge, judged: Judged) -> Fixed:
    """The sizes without a usual value that the code fixes, where a core check does not hold.

    Beside them those with one, as an inner width: it is a multiple of the width that the code has.
    """
    found = {finding.check: finding for finding in judged.findings}
    if _core_holds(free, found):
        return {}
    draw = free.draws.diagnostic_draws(free.exercise)[0]
    about = [size for size in free.exercise.options.sizes if not size.is_usual and size.check in found]
    sizes = [size for size in about if size.argument in draw.config and not size.is_bound]
    fixed = [s for s in sizes if is_absent(s, free.candidate) or is_ignored(s, free.candidate, draw)]
    usual = [size for size in free.exercise.options.sizes if size.is_usual and not size.fits]
    failed = [s for s in usual if s.check in found and found[s.check].outcome.failed_or_raised]
    fixed += [
        s for s in failed if fixed and s.argument in draw.config and is_ignored(s, free.candidate, draw)
    ]
    return {size: found[size.check] for size in fixed}


def _core_holds(free: Judge, found: Mapping[str, Finding]) -> bool:
    cores = [check.name for check in free.exercise.value_checks if check.core]
    return all(found[name].outcome is Outcome.PASSED for name in cores if name in found)


def _find_width_of_heads(free: Judge, judged: Judged) -> Fixed:
    """The model's width where heads have their own, under which the code is right, if it is under none."""
    found = {finding.check: finding for finding in judged.findings}
    if _core_holds(free, found):
        return {}

    def holds(fixed: Fixed) -> bool:
        return _rank(free, {**judged.fixed, **fixed}) == 0

    return find_width_of_heads(free, found, [*judged.fixed], holds)


def _declared(free: Judge, fixed: Fixed) -> Fixed:
    """The same sizes as the exercise declares them, without a value that was found."""
    declared = {size.argument: size for size in free.exercise.options.sizes}
    return {declared[size.argument]: finding for size, finding in fixed.items()}


def _find_values(free: Judge, fixed: Fixed) -> Fixed:
    """The sizes with values under which the code answers, rightly if it can; {} where it never does.

    Where the width is fixed too, code may refuse the draws for that alone: heads are first taken as they are.
    """
    without_heads = {s: f for s, f in fixed.items() if not s.shared or is_absent(s, free.candidate)}
    answering: list[Fixed] = []
    for sizes in dict.fromkeys(map(tuple, filter(None, (without_heads, fixed)))):
        for way in _ways(free, {size: fixed[size] for size in sizes}):
            rank = _rank(free, way)
            if rank == 0:
                return way
            answering += [way] if rank is not None else []
    return max(answering, key=partial(_count_held, free)) if len(answering) > 1 else next(iter(answering), {})


def _ways(free: Judge, fixed: Fixed) -> list[Fixed]:
    """The sizes with values that the code's parameters and numbers allow."""
    make = free.draws.reference_of(free.exercise)
    if make is None:
        return []
    config = free.draws.diagnostic_draws(free.exercise)[0].config
    shapes, constants = free.candidate.construct(**config).shapes(), sorted(free.candidate.source.constants)
    ways = possible_values([*fixed], make, config, shapes, constants)
    return [{s.always(way[s.argument]): finding for s, finding in fixed.items()} for way in ways]


def _widths_for(free: Judge, fixed: Fixed) -> list[UsualSize]:
    """The width for each number of heads that is fixed, where the width itself is free."""
    widths = {size.sharing: size for size in free.exercise.options.sizes if size.sharing}
    arguments = {size.argument for size in fixed}
    heads = [size for size in fixed if size.shared and size.shared not in arguments]
    return [widths[h.argument].always(COLUMNS * h.usual({})) for h in heads if h.argument in widths]


def _rank(free: Judge, fixed: Fixed) -> int | None:
    """0 where a core check holds on two draws at these sizes, 1 where the code answers; None where not."""
    judge = _at(free, fixed, (0, 2))
    check = next(check for check in judge.exercise.value_checks if check.core)
    results = [judge.try_on(check, example) for example in judge.draws.for_check(judge.exercise, check)]
    if not any(isinstance(result, Exception) for result in results):
        return 0
    refused = (Raised, OtherParameters, ProcessLost)
    return None if any(isinstance(result, refused) for result in results) else 1


def _count_held(free: Judge, fixed: Fixed) -> int:
    """How many checks hold on one draw at these sizes: under other heads than its own, code refuses masks."""
    judge = _at(free, fixed, (0,))
    return sum(
        not any(
            isinstance(judge.try_on(check, example), Exception)
            for example in judge.draws.for_check(judge.exercise, check)
        )
        for check in judge.exercise.value_checks
    )


def _at(free: Judge, fixed: Fixed, numbers: Sequence[int]) -> Judge:
    """The judge at these sizes, on draws of these numbers.

    The width is such a multiple of the heads that others than they, or a part of them, cannot share it.
    """
    sizes = [*fixed, *_widths_for(free, fixed)]
    exercise, draws = free.exercise.at_usual_sizes(sizes), free.draws.at_usual_sizes(sizes).only(numbers)
    free.candidate.use_mapping_draws(partial(draws.mapping_draws, exercise))
    return replace(free, exercise=exercise, draws=draws, failures={})


def _name(free: Judge, size: UsualSize, finding: Finding) -> Finding:
    """The finding with the known mistake that ignores the size as this code does, if there is one."""
    known_mistakes, name = free.draws.known_mistakes(free.exercise), _name_of(free, size)
    if known_mistakes is None or size.own or is_absent(size, free.candidate):
        return finding
    if not known_mistakes.knows(name):
        return finding
    return _with_mistake(finding, known_mistakes.describe(name))


def name_others(free: Judge, fixed: Fixed) -> Fixed:
    """The findings with the known mistakes that explain the code on draws of any sizes."""
    free.candidate.use_mapping_draws(partial(free.draws.mapping_draws, free.exercise))
    known_mistakes = free.draws.known_mistakes(free.exercise)
    if known_mistakes is None:
        return fixed
    name = partial(name_mistakes, free, known_mistakes, None, None)
    failed = [replace(finding, outcome=Outcome.FAILED) for finding in fixed.values()]
    named = dict(zip(fixed, explain_safely(in_time(free.session, name), failed), strict=True))
    return {s: f if f.mistakes else _name_as_explained(free, s, f) for s, f in named.items()}


def _name_as_explained(free: Judge, size: UsualSize, finding: Finding) -> Finding:
    """The finding with the known mistake that ignores the size, if it alone explains the code's answers.

    A number of heads shows in no parameter, so that the check about it holds for the mistake, too.
    """
    known_mistakes, name = free.draws.known_mistakes(free.exercise), _name_of(free, size)
    if known_mistakes is None or is_absent(size, free.candidate) or not known_mistakes.knows(name):
        return finding
    with contextlib.suppress(Raised):
        if known_mistakes.explain(free.candidate).alternatives == ((name,),):
            return _with_mistake(finding, known_mistakes.describe(name))
    return finding


def _with_mistake(finding: Finding, mistake: Mistake) -> Finding:
    return replace(finding, mistake=join_mistakes(((mistake,),)), mistakes=((mistake,),))


def _name_of(free: Judge, size: UsualSize) -> str:
    return f"{free.exercise.symbol}__{size.argument}{IGNORED}"


def points_of(findings: Sequence[Finding]) -> float:
    """The sum of their points."""
    return sum(finding.points for finding in findings)
