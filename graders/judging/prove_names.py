"""Prove which mistakes are named, and under which finding: on the draws that made checks fail.

The diagnostic draws by which mistakes are found are few, and with several mistakes at once something nearly
always agrees. The checks have failed on other draws, of other sizes, whose answers are there already: the
first that failed, and the smallest case that is shown. Each known mistake is tried on these in this process.
It is named under a finding if the check fails on it as it does on the code; of several made at once, those
without which it would not.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from graders.candidate.local_candidate import LocalCandidate
from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.check_api.candidate import Raised
from graders.check_api.check import Check
from graders.check_api.compare import Violation
from graders.check_api.mask_sense import MaskNotTaken
from graders.check_api.reference_answer import ReferenceAnswer
from graders.diagnosis.combinations import Names
from graders.diagnosis.compare_failures import Likeness, compare_failures
from graders.diagnosis.known_mistakes import Explained
from graders.judging.kept_draws import Example

MappingDraws = Callable[[], Sequence[ReferenceAnswer]]

SEEDS = 8  # with dropout of 0.1, every second call drops none of six values


@dataclass(frozen=True, eq=False)
class FailedCase:
    """A draw on which a check fails, and how.

    Attributes:
        absent: the biases without which the code was compared.
        answered_as: the mistakes that have the code's parameters, and its answers on draws of the check.
    """

    check: Check
    example: Example
    failure: Exception
    absent: frozenset[str] = frozenset()
    answered_as: Names = ()


@dataclass(frozen=True)
class Proven:
    """The mistakes that explain a finding, and the number of draws of checks on which they do."""

    names: Names
    fresh: int


@dataclass
class Trial:
    """Tries mistakes on the cases of one exercise, each once.

    Args:
        explained: what the diagnostic draws say.
        cases: the draws on which each check fails, by the check's name.
        mapping_draws: those of the exercise.
        is_module: whether the exercise asks for a class, whose answers follow from its weights, too.
    """

    explained: Explained
    cases: Mapping[str, Sequence[FailedCase]]
    mapping_draws: MappingDraws
    is_module: bool
    _candidates: dict[frozenset[str], list[LocalCandidate]] = field(default_factory=dict)
    _likeness: dict[tuple[frozenset[str], str], Likeness] = field(default_factory=dict)

    def likeness(self, names: Names, check: str) -> Likeness:
        """How a check's failure on these mistakes is like that on the code, on all of its cases."""
        key = frozenset(names), check
        if key not in self._likeness:
            nearest = Likeness.HOLDS
            for candidate in self._candidates_of(names):
                nearest = max(nearest, found := self._of_candidate(self.cases[check], candidate, names))
                if found is not Likeness.OTHER:
                    break  # an accepted activation or epsilon changes numbers alone
            self._likeness[key] = nearest
        return self._likeness[key]

    def shows(self, name: str) -> bool:
        """Whether a mistake shows by itself: in a case, or by parameters that the code has as it has."""
        base = self.explained.matched.base if self.explained.matched else None
        by_parameters = isinstance(base, type) and name in {each.__name__ for each in base.__mro__}
        return by_parameters or any(self.likeness((name,), check) for check in self.cases)

    def _candidates_of(self, names: Names) -> Iterable[LocalCandidate]:
        """The mistakes as they are, then in each accepted variant."""
        key = frozenset(names)
        if key not in self._candidates:
            self._candidates[key] = [*self.explained.by.candidates(names, self.mapping_draws)]
        return self._candidates[key]

    def _of_candidate(self, cases: Sequence[FailedCase], candidate: LocalCandidate, names: Names) -> Likeness:
        least = Likeness.SAME
        for case in cases:
            comparable = case.check.needs_reference or not self.is_module
            ours = _failure_of(candidate, case)
            if ours and case.answered_as and {*names} == {*case.answered_as}:
                continue
            likeness = compare_failures(case.failure, ours, comparable)
            if likeness is Likeness.OTHER and (
                _is_random(candidate, case, ours) or self._remembers(names, case)
            ):
                likeness = Likeness.ALIKE
            least = min(least, likeness)
            if least < Likeness.ALIKE:
                break
        return least

    def _remembers(self, names: Names, case: FailedCase) -> bool:
        """Whether a function answers otherwise after another call: then the code may, too."""
        by = self.explained.by
        if self.is_module or len(names) > 1:
            return False
        fresh, used = by.anew(names[0]), by.anew(names[0])
        if fresh is None or used is None:
            return False
        with contextlib.suppress(Raised):
            used(*by.draws[0].arguments)
        first, later = _failure_of(fresh, case), _failure_of(used, case)
        before, after = (getattr(failure, "actual", None) for failure in (first, later))
        if before is not None and after is not None and not torch.equal(before, after):
            return True
        return str(first) != str(later)


def prove(trial: Trial) -> dict[str, Proven]:
    """The mistakes that explain each check's failure, by the check's name; of explanations as good, none."""
    best: list[dict[str, Names]] = []
    most = (1, 0)
    for names in trial.explained.alternatives:
        explains, evidence = _explain(trial, names)
        if explains and evidence >= most and not _is_half(trial, names, explains):
            best = [*(best if evidence == most else ()), explains]
            most = evidence
    proven = {}
    for check in trial.cases:
        of_each = {frozenset(explains[check]): explains[check] for explains in best if check in explains}
        if len(of_each) == 1 and all(check in explains for explains in best):
            [names] = of_each.values()
            fresh = sum(len(trial.cases[c]) for c in trial.cases if set(names) <= set(best[0].get(c, ())))
            proven[check] = Proven(names, fresh)
    return proven


def _is_half(trial: Trial, names: Names, explains: Mapping[str, Names]) -> bool:
    """Whether only some of the mistakes are shown, and a check fails in another way than these say.

    Where sizes of a draw are equal, one of two mistakes may do what both do at once, or what neither does.
    """
    shown = tuple(name for name in names if any(name in found for found in explains.values()))
    unlike = (Likeness.UNLIKE, Likeness.OTHER)
    return shown != names and any(
        trial.likeness(several, check) in unlike for several in (names, shown) for check in trial.cases
    )


def explained_checks(trial: Trial) -> set[str]:
    """The checks that some explanation explains; where several do, none may be named."""
    return {check for names in trial.explained.alternatives for check in _explain(trial, names)[0]}


def _explain(trial: Trial, names: Names) -> tuple[dict[str, Names], tuple[int, int]]:
    """Which of the mistakes explain each check, and how many checks fail by the same answer, and alike."""
    likeness = {check: trial.likeness(names, check) for check in trial.cases}
    same = sum(each is Likeness.SAME for each in likeness.values())
    alike = sum(each is Likeness.ALIKE for each in likeness.values())
    if not same and Likeness.OTHER in likeness.values():
        return {}, (0, 0)
    explains = {
        check: _needed(trial, names, check) for check, each in likeness.items() if each >= Likeness.ALIKE
    }
    return {check: found for check, found in explains.items() if found}, (1, same * 1_000 + alike)


def _needed(trial: Trial, names: Names, check: str) -> Names:
    """Those of the mistakes without which a check would not fail so; () if one shows in none by itself."""
    whole = trial.likeness(names, check)
    if whole is Likeness.ALIKE and len(names) > 1:
        alone = tuple(name for name in names if trial.likeness((name,), check) is Likeness.ALIKE)
        names = alone or names
    for name in names:
        fewer = tuple(other for other in names if other != name)
        if whole is Likeness.SAME and fewer and trial.likeness(fewer, check) >= whole:
            names = fewer
    return names if len(names) == 1 or all(trial.shows(name) for name in names) else ()


def _failure_of(candidate: LocalCandidate, case: FailedCase) -> Exception | None:
    """How a check fails on a mistake of ours, with the weights that the code had; None where it holds."""
    for answer in case.example.answer:
        if isinstance(answer, ReferenceAnswer):
            answer.judge_without(case.absent)
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(0)
        try:
            case.check.judge(candidate, case.example.draw, *case.example.answer)
        except (Violation, Raised, Undecidable) as failure:
            failure.__context__ = None
            return failure.with_traceback(None)
        except MaskNotTaken:
            return None
    return None


def _is_random(candidate: LocalCandidate, case: FailedCase, first: Exception | None) -> bool:
    """Whether the mistake answers otherwise under another seed: then the code may, too.

    Dropout may drop none of a few values, so several seeds are tried.
    """
    with torch.random.fork_rng(devices=[]):
        for seed in range(1, SEEDS + 1):
            before = torch.default_generator.manual_seed(seed).get_state()
            if _answers_otherwise(candidate, case, first):
                return True
            if torch.equal(before, torch.get_rng_state()):
                return False  # it has drawn no number
    return False


def _answers_otherwise(candidate: LocalCandidate, case: FailedCase, first: Exception | None) -> bool:
    try:
        case.check.judge(candidate, case.example.draw, *case.example.answer)
    except (Violation, Raised, Undecidable) as failure:
        before, after = (getattr(each, "actual", None) for each in (first, failure))
        if before is None or after is None:
            return False
        return before.shape != after.shape or not torch.equal(before, after)
    except MaskNotTaken:
        return False
    return True
