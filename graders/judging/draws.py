"""The draws of every check, each with the reference's answer: made once per run, used for all submissions.

The check determines their sizes, masks and flags, the run's seed their values. Only where a check fails, its
ladder is drawn too, to find the smallest case.
"""

import copy
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, partial
from typing import Any

import torch

from graders.answer_key.answer_key import (
    EXAMPLES,
    FURTHER,
    MAPPING,
    MISTAKES,
    PARTS,
    SIZES,
    SMALL,
    AnswerKey,
    StandIn,
)
from graders.answer_key.find_keys import AnswerKeys
from graders.candidate.cast_draw import cast
from graders.check_api.check import Check
from graders.check_api.kept_values import KeptAnswers, keeping_answers
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.usual_sizes import UsualSize, at_usual_sizes
from graders.check_api.without_hypothesis import INSTALLED as CAN_DRAW
from graders.course.exercise import Exercise
from graders.course.reference import mistakes, reference
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.diagnosis.kept_seen import KeptSeen
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.diagnosis.right_parts import RightParts, right_parts
from graders.diagnosis.stored_mistakes import MistakesOfKey
from graders.diagnosis.stored_parts import PartsOfKey
from graders.judging.chosen_before import ChosenBefore, choosing_as
from graders.judging.drawing import (
    contents_key,
    count_fixed_draws,
    draw_examples,
    further_draws,
    kind_of_sizes,
    size_of,
    small_draws,
    stretched_draws,
)
from graders.judging.kept.kept_work import KeptWork, Shelf
from graders.judging.kept_draws import Example, KeptDraws, MakeDraws
from graders.judging.loosen import LOOSER, loosen
from graders.judging.mapping_draws import for_mapping
from graders.judging.own_sizes import Values, values_at_sizes
from graders.judging.plainness import has_plain_inputs

TRIES = 100  # draws that are tried to find the smallest case, at most
SEEN = "mistakes"  # what is kept of known mistakes
CHOICES = "choices"  # what is kept of draws for runs under all seeds
LADDERS: dict[MakeDraws, str] = {small_draws: SMALL, further_draws: FURTHER}


class Draws:
    """The draws of one run.

    `tries`: how many draws are tried to find the smallest case; 0 shows the first that fails.
    With an answer `key` for this seed, answers are read from it, and no reference is asked.
    The reference's rounding is measured on the CPU: on another `device` tolerances are wider. With a `dtype`,
    all floating-point tensors of draws are cast to it.
    """

    def __init__(
        self,
        run_seed: int,
        tries: int = TRIES,
        device: str = "cpu",
        dtype: torch.dtype | None = None,
        key: AnswerKey | AnswerKeys | None = None,
    ) -> None:
        # Draws are small: several threads would be slower, and a process that has used several threads
        # cannot be forked safely.
        torch.set_num_threads(1)
        self.seed = run_seed
        self.tries = tries
        self.dtype = dtype
        self._looser = LOOSER[device]
        self._chosen: tuple[int, ...] | None = None
        fits = key is not None and key.seed == run_seed and dtype is None and device == "cpu"
        self._key = key if fits else None
        self._fixed: tuple[UsualSize, ...] = ()
        self._sizes: tuple[str, ...] = ()  # the arguments that have their usual values
        self._kept = KeptDraws()
        self._kept_at_usual_sizes: dict[tuple[str, ...], KeptDraws] = {}
        self._work: KeptWork | None = None  # what earlier runs have made

    def keeping(self) -> "Draws":
        """The same draws, which read what earlier runs have kept on the disk, and keep what they make.

        With an answer key, which has all this, nothing is read or kept. Where students' code has no wall
        around it, this must not be called: that code could have written what is read.
        """
        same = copy.copy(self)
        same._work = None if self._key else KeptWork()
        return same

    def save(self) -> None:
        """Keep on the disk what was made since the last time, and take what other processes have kept."""
        if self._work is not None:
            self._work.save()

    def decidable(self, exercise: Exercise, check: Check) -> bool:
        """Whether the check can be decided here: it needs no reference, or there is one."""
        if CAN_DRAW and not check.needs_reference:
            return True
        return (
            check.name in (self._stored(exercise, EXAMPLES) or {}) or self.reference_of(exercise) is not None
        )

    def describe_unused_keys(self, assignment: str, exercises: Iterable[Exercise]) -> list[str]:
        """Why answer keys of an assignment that were found do not decide some of its exercises."""
        asked = [e.name for e in exercises if e.rule is None]
        return self._key.describe_unused(assignment, asked) if isinstance(self._key, AnswerKeys) else []

    def for_check(self, exercise: Exercise, check: Check, constants: Iterable[int] = ()) -> list[Example]:
        """The draws of a check with their answers: the same for every submission, but for its `constants`."""
        key = (exercise.name, check.name)
        if key not in self._kept.examples and (stored := self._stored_examples(exercise, check, EXAMPLES)):
            self._kept.examples[key] = stored
        if key not in self._kept.examples:
            draw = partial(self._draw, exercise, check)
            draws = self._kept_or_made(exercise, f"draws {check.name} {check.draws}", draw)
            self._kept.examples[key] = self._with_answers(exercise, check, draws)
        examples, larger = self._kept.examples[key], self._larger(exercise, check, constants)
        many = len(examples) - count_fixed_draws(check)
        free, fixed = examples[:many], examples[many:]
        if self._chosen is not None and free:
            free = [free[n] for n in sorted({min(number, len(free) - 1) for number in self._chosen})]
        return [*free, *fixed, *larger]

    def further(self, exercise: Exercise, check: Check) -> list[Example]:
        """Twice as many draws as a check has, of other sizes: for an audit of what its own ones miss."""
        key = (exercise.name, check.name)
        more = replace(check, draws=2 * check.draws, fixed=(), stretched=(), at_length=None)
        draws = draw_examples(more, self._seed_of(key), _sizes_from((exercise.name, f"{check.name} further")))
        return [self._with_answer(exercise, check, draw) for draw in draws]

    def _draw(self, exercise: Exercise, check: Check) -> list[Any]:
        """The draws of a check, by what an earlier run, under whatever seed, has chosen for them."""
        key = (exercise.name, check.name)
        shelf, named = self._shelf(exercise, CHOICES, of_seed=False), f"{check.name} {check.draws}"
        before = ChosenBefore(shelf.find(named) if shelf else None)
        with choosing_as(before):
            draws = draw_examples(check, self._seed_of(key), _sizes_from(key))
        if shelf and before.changed:
            shelf.put(named, before.known)
        return draws

    def _larger(self, exercise: Exercise, check: Check, constants: Iterable[int]) -> list[Example]:
        """For each size that the check stretches, a draw in which it exceeds the numbers in the code.

        A mask, a table or a crop of a size that stands in the code is seen on it. With an answer key in the
        place of the reference there are none.
        """
        can_answer = CAN_DRAW and (not check.needs_reference or self.reference_of(exercise) is not None)
        if not can_answer:
            return []
        name, seed = (exercise.name, check.name), self._seed_of((exercise.name, check.name))
        larger = []
        for number, (least, most, make_draw) in enumerate(stretched_draws(check)):
            size = 1 + max((n for n in constants if n < most), default=0)
            key = (*name, number, size)
            if size > least and key not in self._kept.larger:
                self._kept.larger[key] = self._with_late_answer(exercise, check, make_draw(size, seed))
            larger += [self._kept.larger[key]] if size > least else []
        return larger

    def first(self, most: int) -> "Draws":
        """The same draws, but at most the first `most` of each check, beside the fixed ones."""
        return self.only(range(most))

    def only(self, numbers: Iterable[int] | None) -> "Draws":
        """The same draws, but of each check those of these numbers, beside the fixed ones.

        Where a check has fewer draws, its last one is in the place of those that it lacks. None for all.
        """
        fewer = copy.copy(self)
        fewer._chosen = None if numbers is None else tuple(numbers)
        return fewer

    def under(self, seed: int) -> "Draws":
        """Draws of the same kind under another seed; no key holds their answers."""
        other = copy.copy(self)
        other.seed, other._key = seed, None
        other._kept, other._kept_at_usual_sizes = KeptDraws(), {}
        return other

    def without_search(self) -> "Draws":
        """The same draws; the first that fails is not made smaller."""
        same = copy.copy(self)
        same.tries = 0
        return same

    def with_search(self) -> "Draws":
        """The same draws; the first that fails is made smaller, as for students."""
        same = copy.copy(self)
        same.tries = TRIES
        return same

    def at_usual_sizes(self, sizes: Sequence[UsualSize]) -> "Draws":
        """Draws of the same run, kept apart: for exercises in which these sizes have their usual values."""
        apart = copy.copy(self)
        apart._fixed = tuple(sizes)
        names = apart._sizes = tuple(size.key for size in sizes)
        apart._kept = self._kept_at_usual_sizes.setdefault(names, KeptDraws())
        return apart

    def diagnostic_draws(self, exercise: Exercise) -> list[Any]:
        """Fresh draws of an exercise, which none of its checks uses."""
        return exercise.diagnostic_draws(self._seed_of((exercise.name, "trials")))

    def mapping_draws(self, exercise: Exercise) -> list[ReferenceAnswer]:
        """The reference's answers to diagnostic draws of one configuration; [] unless it is a class."""
        if stored := self._stored(exercise, MAPPING):
            answers: list[ReferenceAnswer] = stored
            return answers
        if exercise.name not in self._kept.mapping_draws:
            symbol = self.reference_of(exercise)
            # Functions have no parameters.
            draws = self.diagnostic_draws(exercise) if isinstance(symbol, type) else []
            same = [d for d in draws if not is_behaviour_trial(d) and d.config == draws[0].config]
            of_exercise = partial(mistakes, exercise.name, exercise.symbol)
            recipe = Recipe(symbol, mistakes=of_exercise, shelf=self._shelf(exercise))
            fitted = [at_usual_sizes(draw, self._fixed) for draw in for_mapping(same)]
            self._kept.mapping_draws[exercise.name] = [recipe.answer(draw) for draw in fitted]
        return self._kept.mapping_draws[exercise.name]

    def known_mistakes(self, exercise: Exercise) -> KnownMistakes | None:
        """The known mistakes of an exercise, on its diagnostic draws; None without these or a reference."""
        if exercise.name not in self._kept.known_mistakes:
            draws = self.diagnostic_draws(exercise)
            if stored := self._stored(exercise, MISTAKES):
                of_key = MistakesOfKey(exercise, draws, stored, StandIn(stored.heads, stored.shapes))
                self._kept.known_mistakes[exercise.name] = of_key
                return of_key
            known = bool(draws) and self.reference_of(exercise) is not None
            made = KnownMistakes(exercise, draws, kept=self._kept_seen(exercise)) if known else None
            self._kept.known_mistakes[exercise.name] = made
        return self._kept.known_mistakes[exercise.name]

    def right_parts(self, exercise: Exercise, wrong: frozenset[str]) -> RightParts | None:
        """The reference's parts among `wrong` that its whole is built of; None if there are none."""
        if not wrong:
            return None
        if stored := self._stored(exercise, PARTS):
            chosen = {name: part for name, part in stored.items() if name in wrong}
            return PartsOfKey(chosen) if chosen else None
        known = self.known_mistakes(exercise)
        return right_parts(known.reference, wrong) if known else None

    def values_at_sizes(self, exercise: Exercise) -> Values:
        """What tells which value code has for a size that it does not take; {} without a reference."""
        make, configs = self.reference_of(exercise), [draw.config for draw in self.diagnostic_draws(exercise)]
        stored = dict(self._stored(exercise, SIZES) or {})
        return values_at_sizes(make, exercise.options.sizes, configs) if make else stored

    def prepare(self, exercises: Iterable[Exercise]) -> None:
        """Make all their draws now: processes forked later share them, and no submission waits for them."""
        for exercise in exercises:
            for check in exercise.checks:
                if self.decidable(exercise, check):
                    self.for_check(exercise, check)

    def small_cases(
        self, exercise: Exercise, check: Check, first: Example, sizes_matter: bool = True
    ) -> Iterator[Iterator[Example]]:
        """Draws on which a failed check can be shown, in the order in which they are tried, in two parts.

        The second part, in which `first` has its place, is larger: it is for failures that no draw of the
        first part shows, and is made only then.

        Args:
            exercise: the exercise.
            check: the check that fails.
            first: its first failing draw; the draws before it are not tried again.
            sizes_matter: whether one head and one sequence come first, then sizes that show the layout;
                else the smallest come first.
        """
        if self.tries == 0 or check.given.is_empty or first in self._kept.larger.values():
            return  # a ladder costs a tenth of a second
        yield self._from_simplest(exercise, check, small_draws, [], sizes_matter)
        own = self.for_check(exercise, check)
        after = own[own.index(first) :] if first in own else [first]
        yield self._from_simplest(exercise, check, further_draws, after, sizes_matter)

    def _from_simplest(
        self, exercise: Exercise, check: Check, make_draws: MakeDraws, own: list[Example], sizes_matter: bool
    ) -> Iterator[Example]:
        """Draws of the ladder and of the check's own: plain inputs first, of equal kinds of sizes."""
        made: list[tuple[Any, Callable[[], Example]]] = [(e.draw, partial(_same, e)) for e in own]
        stored = self._stored_examples(exercise, check, LADDERS[make_draws])
        for example in stored or ():
            made.append((example.draw, partial(_same, example)))
        for number, draw in enumerate(self._ladder(exercise, check, make_draws) if stored is None else ()):
            made.append((draw, partial(self._rung, exercise, check, make_draws, number)))

        def order(draw: Any) -> tuple[Any, ...]:
            return kind_of_sizes(draw) if sizes_matter else 0, not has_plain_inputs(draw), size_of(draw)

        return (make() for _, make in sorted(made, key=lambda each: order(each[0])))

    def reference_of(self, exercise: Exercise) -> Any:
        """The reference's class or function; None where there is none, or a key is in its place."""
        return None if self._key else reference(exercise.name, exercise.symbol)

    def _stored(self, exercise: Exercise, part: str) -> Any:
        """A part of the answer key, where there is one and it is wanted."""
        return self._key.part("+".join((exercise.name, *self._sizes)), part) if self._key else None

    def _stored_examples(self, exercise: Exercise, check: Check, part: str) -> list[Example] | None:
        stored = (self._stored(exercise, part) or {}).get(check.name)
        return None if stored is None else [Example(draw, answer) for draw, answer in stored]

    def _ladder(self, exercise: Exercise, check: Check, make_draws: MakeDraws) -> Sequence[Any]:
        """Small draws from the strategy of a check. Checks with the same strategy share them."""
        if check.given.is_empty:
            return ()
        key = (exercise.name, repr(check.given), make_draws)
        if key not in self._kept.ladders:
            draw = partial(make_draws, check.given, self._seed_of((exercise.name, "small")))
            named = f"{LADDERS[make_draws]} {check.name}"
            self._kept.ladders[key] = self._kept_or_made(exercise, named, draw)
        return self._kept.ladders[key]

    def _rung(self, exercise: Exercise, check: Check, make_draws: MakeDraws, number: int) -> Example:
        """A draw of the ladder with the answer of the check, which an earlier search may have computed.

        Checks that answer in the same way share it.
        """
        key = (exercise.name, repr(check.given), check.answer, make_draws, number)
        if key not in self._kept.rungs:
            draw = self._ladder(exercise, check, make_draws)[number]
            self._kept.rungs[key] = self._with_late_answer(exercise, check, draw)
        return self._kept.rungs[key]

    def ladder(self, exercise: Exercise, check: Check, make_draws: MakeDraws) -> list[Example]:
        """A ladder of small draws of a check, with the answers to all."""
        numbers = range(len(self._ladder(exercise, check, make_draws)))
        return [self._rung(exercise, check, make_draws, number) for number in numbers]

    def _kept_or_made(self, exercise: Exercise, key: str, make: Callable[[], list[Any]]) -> list[Any]:
        """Draws of an exercise that an earlier run has made; else they are made, and kept."""
        shelf = self._shelf(exercise)
        if shelf is None:
            return make()
        draws: list[Any] = shelf.find_or_make(key, make, _are_same)
        return draws

    def _kept_seen(self, exercise: Exercise) -> KeptSeen:
        """What is kept of known mistakes: a file of its own, which right submissions do not need."""
        return KeptSeen(cache(partial(self._shelf, exercise, SEEN)))

    def _shelf(self, exercise: Exercise, part: str = "", *, of_seed: bool = True) -> Shelf | None:
        """What is kept of an exercise; None for sizes that a submission's code has alone."""
        if self._work is None or any("=" in size for size in self._sizes):
            return None
        return self._work.shelf(exercise, self.seed if of_seed else None, self._sizes, part)

    def _with_answers(self, exercise: Exercise, check: Check, draws: Sequence[Any]) -> list[Example]:
        """The draws of a check with their answers, whose exact values may be kept."""
        shelf = self._shelf(exercise) if check.needs_reference else None
        if shelf is None:
            return [self._with_answer(exercise, check, draw) for draw in draws]
        key = f"answers {check.name} {check.draws} {self.dtype}"
        with keeping_answers(KeptAnswers(shelf, shelf.find(key) or ())) as answers:
            examples = [self._with_answer(exercise, check, draw) for draw in draws]
        if answers.changed:
            shelf.put(key, answers.answers)
        return examples

    def _with_late_answer(self, exercise: Exercise, check: Check, draw: Any) -> Example:
        """A draw that some submission needs, with its answer: what is measured for it may be kept."""
        shelf = self._shelf(exercise) if check.needs_reference else None
        with keeping_answers(KeptAnswers(shelf)) if shelf else nullcontext():
            return self._with_answer(exercise, check, draw)

    def _with_answer(self, exercise: Exercise, check: Check, draw: Any) -> Example:
        draw = draw if self.dtype is None else cast(draw, self.dtype)
        if check.answer is None:
            return Example(draw, ())
        references = [self.reference_of(exercise)] if check.needs_reference else []
        answer = check.answer(draw, *references)
        times = self._looser * exercise.tolerance
        return Example(draw, (answer if times == 1 else loosen(answer, times),))

    def _seed_of(self, key: tuple[str, str]) -> int:
        return zlib.crc32(f"{self.seed} {key[0]} {key[1]}".encode())


def _sizes_from(key: tuple[str, str]) -> int:
    """The number from which the sizes of a check's draws follow, under every seed."""
    return zlib.crc32(f"{key[0]} {key[1]}".encode())


def _are_same(made: list[Any], read: list[Any]) -> bool:
    return len(made) == len(read) and all(map(_have_same_contents, made, read))


def _have_same_contents(made: Any, read: Any) -> bool:
    return type(made) is type(read) and contents_key(made) == contents_key(read)


def _same(example: Example) -> Example:
    return example
