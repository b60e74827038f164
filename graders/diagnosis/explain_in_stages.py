"""Explain an answer by several mistakes at once: what shows in the first stage first, then what shows later.

To try all triples of a hundred mistakes is out of reach. But in each stage few mistakes show, and those
that explain it are known when the next stage comes. So mistakes are added one at a time, two where one is
not enough.
"""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from graders.diagnosis.by_values import CLEARLY, difference, has_nan
from graders.diagnosis.closeness import CLOSE
from graders.diagnosis.combinations import EPSILONS, Combinations, Names
from graders.diagnosis.fingerprint import AnswerTensors
from graders.diagnosis.stages import Stage

ROUGH = 1e-4  # the largest difference that a constant of float32 or a smaller epsilon explains
ALIVE = 8  # explanations that are kept from stage to stage
MOST = 4  # mistakes at once
FAR = 0.02  # a difference that no other epsilon explains
PAIRS = 500  # pairs of mistakes that are added at once, at most, in one stage
PAIRS_OF_MODELS = 100  # the same for a model of several layers
LEAST = 2  # stages without anything silenced that must be explained
SHOWN = 3  # stages that must be explained, and in which each mistake must show, if it shows in as many


Compared = tuple[int, Names, int, int, frozenset[str]]  # mistakes, a variant, a stage and absent biases


@dataclass(frozen=True)
class Explanation:
    """Mistakes that explain all stages so far.

    Attributes:
        names: those of the mistakes.
        variants: the numbers of the accepted variants in which they do.
        difference: the largest in these.
        unanswered: in how many masked stages ours gives NaN, where the candidate hides with a number.
    """

    names: Names
    variants: tuple[int, ...]
    difference: float = 0.0
    unanswered: int = 0


@dataclass
class Explainer:
    """One search, for one candidate under one mapping of its parameters.

    Args:
        combinations: what mistakes of ours answer.
        answer: the candidate's answer in a stage.
        is_wrong: whether what the combinations are made on is a mistake itself.
        finds_right: whether it has found that no mistake is needed.
        without_masks: whether it has found that nothing explains the stages with a mask.
        compared: what was asked of the combinations so far: as much on a fast machine as on a slow one.
    """

    combinations: Combinations
    answer: Callable[[Stage], AnswerTensors]
    is_wrong: bool = False
    compared: set[Compared] = field(default_factory=set)
    finds_right: bool = False
    without_masks: bool = False
    _seen: dict[int, AnswerTensors] = field(default_factory=dict)

    def explain(self) -> list[Names]:
        """The mistakes that explain all stages, or all those without a mask; [] where nothing does."""
        everything = tuple(range(len(self.combinations.variants)))
        alive = plain = [Explanation((), everything)]
        for number, stage in enumerate(self.combinations.stages):
            answered = self.answer(stage)
            if not self._may_compare(answered, number):
                continue
            self._seen[number] = answered
            may_skip = self._seen_enough() and not self._is_like_the_first(stage)
            after = self._agreeing(alive, number) or self._extend(alive, number, 1 if may_skip else 2)
            if not after:
                del self._seen[number]
                if may_skip:
                    continue  # its sizes are what is wrong in it: a default, or a number in the code
                if not stage.masked:
                    return []
                alive, self.without_masks = plain, True
                break
            alive = after
            if not stage.masked:
                plain = alive
        if self._full_stages() < LEAST or len(self._seen) < SHOWN:
            return []
        if explaining := self._best(alive):
            return explaining
        self.without_masks = True  # what explains all stages without one is true, whatever else is wrong
        return self._best(plain)

    @property
    def answered(self) -> int:
        """The number of stages that were explained."""
        return len(self._seen)

    @property
    def explains_attention(self) -> bool:
        """Whether a stage was explained in which a block has its attention and no network."""
        return any(self.combinations.stages[number].has_attention_alone for number in self._seen)

    @property
    def explains_masks(self) -> bool:
        """Whether a stage with a mask was explained, and none was not."""
        return not self.without_masks and any(self.combinations.stages[at].masked for at in self._seen)

    def _seen_enough(self) -> bool:
        return self._full_stages() > LEAST

    def _full_stages(self) -> int:
        """The number of stages so far in which nothing is silenced."""
        return sum(not self.combinations.stages[number].silenced for number in self._seen)

    def _is_like_the_first(self, stage: Stage) -> bool:
        """Whether a stage has the configuration of the first."""
        configs = [getattr(s.draw, "config", None) for s in (stage, self.combinations.stages[0])]
        return configs[0] == configs[1]

    def _may_compare(self, answered: AnswerTensors, number: int) -> bool:
        """Whether both answer in this stage; under a mask, in the same shape too."""
        due = self.combinations.values((), 0, number, frozenset())
        if not answered.values or not due:
            return False
        same = any(tensor.squeeze().shape == due[0].squeeze().shape for tensor in answered.values)
        return same or not self.combinations.stages[number].masked

    def _agreeing(self, alive: Sequence[Explanation], number: int) -> list[Explanation]:
        """Those that explain this stage too."""
        return _nearest(e for before in alive if (e := self._checked(before, number)))

    def _extend(self, alive: Sequence[Explanation], number: int, most: int) -> list[Explanation]:
        """Those that explain all stages so far with one mistake more, or else with two more."""
        showing = [
            name
            for name in self.combinations.names
            if any(self.combinations.shows(name, n, seen.absent) for n, seen in self._seen.items())
        ]
        stages = [number, *(n for n in self._seen if n != number)]
        twins = (pair for pair in self.combinations.twins if all(name in showing for name in pair))
        alone: list[Names] = [*((name,) for name in showing), *twins]
        return _nearest(self._tried(alive, alone, stages)) or (
            _nearest(self._tried(alive, self._pairs(showing), stages)) if most > 1 else []
        )

    def _pairs(self, showing: Sequence[str]) -> list[Names]:
        """Pairs that are cheap to try: of mistakes that show, then of one with another that it may reveal."""
        known = self.combinations
        showing = [name for name in showing if known.is_cheap(name)]
        own = [name for name in known.names if not known.of_parts((name,))]
        hidden = [name for name in own if name not in showing and known.is_cheap(name)]
        revealing = [name for name in showing if name in own]
        pairs: list[Names] = [*itertools.combinations(showing, 2), *itertools.product(revealing, hidden)]
        return pairs[: PAIRS if known.is_small else PAIRS_OF_MODELS]

    def _tried(
        self, alive: Sequence[Explanation], added: Sequence[Names], stages: Sequence[int]
    ) -> Iterator[Explanation]:
        everything = tuple(range(len(self.combinations.variants)))
        done = set()
        for more, before in itertools.product(added, alive):
            names = (*before.names, *more)
            if len(set(names)) < len(names) or _number(names) > MOST or frozenset(names) in done:
                continue
            done.add(frozenset(names))
            explanation: Explanation | None = Explanation(names, everything)
            for number in stages:
                explanation = explanation and self._checked(explanation, number)
            if explanation:
                yield explanation

    def _checked(self, before: Explanation, number: int) -> Explanation | None:
        """The explanation with the variants that explain a stage too; None without such a variant."""
        differences: dict[int, float] = {}
        hopeless = set()
        for group in self.combinations.groups(number, self._seen[number].absent):
            variants = [v for v in group if v in before.variants]
            if variants and variants[0] // len(EPSILONS) not in hopeless:
                far = self._difference(before.names, variants[0], number)
                differences |= dict.fromkeys(variants, far)
                if far > FAR:
                    hopeless.add(variants[0] // len(EPSILONS))
        least = min(differences.values())
        if any(map(math.isnan, differences.values())):
            return replace(before, unanswered=before.unanswered + 1)
        if least > CLEARLY * ROUGH:
            return None
        bound = _bound(least)
        kept = tuple(v for v, far in differences.items() if far <= bound)
        return replace(before, variants=kept, difference=max(before.difference, least))

    def _difference(self, names: Names, variant: int, number: int) -> float:
        seen = self._seen[number]
        self.compared.add((id(self.combinations), names, variant, number, seen.absent))
        due = self.combinations.values((), 0, number, frozenset())[0]
        ours = self.combinations.values(names, variant, number, seen.absent)
        if ours and has_nan(ours, due) and not has_nan(seen.values, due):
            return math.nan if self.combinations.stages[number].masked else math.inf
        return difference(seen.values, ours, due)

    def _best(self, alive: Sequence[Explanation]) -> list[Names]:
        """The names of the fewest mistakes; of those in all, where that is in doubt."""
        masked = sum(self.combinations.stages[number].masked for number in self._seen)
        answering = [e for e in alive if not e.unanswered or e.unanswered < masked]
        fewest = min((_number(e.names) for e in answering), default=0)
        nearest = [e for e in answering if _number(e.names) == fewest]
        self.finds_right |= bool(nearest) and not fewest and not self.is_wrong
        if not nearest or not (fewest or self.is_wrong) or min(e.difference for e in nearest) > ROUGH:
            return []
        if not all(self._shows_enough(name) for e in nearest for name in e.names):
            return []
        # Those that answer most, and of these such as are mistakes of the whole itself.
        costs = [(e.unanswered, self.combinations.of_parts(e.names)) for e in nearest]
        return [e.names for e, cost in zip(nearest, costs, strict=True) if cost == min(costs)]

    def _shows_enough(self, name: str) -> bool:
        """Whether a mistake shows where the candidate answers: what raises proves nothing."""
        known = self.combinations
        seen = sum(known.shows(name, number, answer.absent) for number, answer in self._seen.items())
        return seen >= SHOWN or seen >= sum(
            known.shows(name, number, frozenset()) for number in range(len(known.stages))
        )


def _nearest(explanations: Iterable[Explanation]) -> list[Explanation]:
    """Those that are not clearly farther than the nearest, if that is near; those of fewer mistakes first."""
    by_difference = sorted(explanations, key=lambda e: e.difference)
    if not by_difference or by_difference[0].difference > ROUGH:
        return []
    bound = _bound(by_difference[0].difference)
    return sorted((e for e in by_difference if e.difference <= bound), key=lambda e: _number(e.names))[:ALIVE]


def _number(names: Names) -> int:
    """How many mistakes these are: one that two parts make is one."""
    return len({name.partition("__")[2] for name in names})


def _bound(least: float) -> float:
    return CLOSE if least <= CLOSE else CLEARLY * least
