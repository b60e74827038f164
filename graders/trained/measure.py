"""A trained model measured, from its checkpoint to its loss: nothing that the student says is believed.

The numbers that the model is asked about come from its `encode`, what they stand for is proven by its
`decode`, and each of these and the model is a process of its own. Characters are counted, probabilities made
of logits, and all is summed up here.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graders.check_api.criterion import ModelFacts, Unlike
from graders.language import tr
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.trained import sample_sizes
from graders.trained.checkpoint import TrainedModel, open_checkpoint
from graders.trained.fresh_process import FreshProcesses, Parts, Stopped
from graders.trained.held_out import EvaluationSet
from graders.trained.loss import Loss, Place, alone, context, measure_loss, places
from graders.trained.next_token import Model, model
from graders.trained.open_checkpoint import BadCheckpoint
from graders.trained.sample_sizes import SampleSizes, choose_sample_sizes, passages
from graders.trained.tokenizer import Tokenizer, garbled

PEEKED = 0.02  # bits by which a prediction may differ without what comes after: far above rounding
LIKELY = 0.01  # the same for any token's probability
FORGETFUL = 8  # places asked twice
STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
SHOWN = 2_000  # characters of the model's own text


@dataclass(frozen=True)
class _Text:
    """What a model is measured on: passages, and the numbers that they become."""

    held_out: Sequence[str]
    train: Sequence[str]
    numbers: Sequence[Tensor]
    training: Sequence[Tensor]


def measure(
    bench: FreshProcesses, parts: Parts, yard: EvaluationSet | str, seed: int
) -> Iterator[ModelFacts]:
    """What is known of a model after each `Stage`, one after another.

    Args:
        bench: where it is done.
        parts: what was handed in.
        yard: what it is measured by, or why there is nothing.
        seed: which passages and places are looked at.

    Raises:
        Stopped: it cannot be measured any further.
    """
    found = _opened(bench, parts)
    with model(bench, parts, found):
        seen = ModelFacts(found.facts())
    yield seen
    if isinstance(yard, str):
        raise Stopped(Outcome.SKIPPED, tr("not measured, since there is no corpus: {yard}", yard=yard))
    facts = replace(
        seen.trained, corpus=yard.name, bigram=yard.bigram, target=yard.target, entropy=yard.entropy
    )
    work = choose_sample_sizes(seen.trained.parameters, found.block_size)
    tokens = Tokenizer(bench, parts, found)
    text = _encoded(tokens, yard, work, found.block_size, seed)
    wrong = garbled(text.held_out, tokens.decode(text.numbers))
    seen = ModelFacts(facts, wrong, tuple(dict.fromkeys(tokens.notes)))
    yield seen
    yield _Measure(bench, parts, found, text, work, seed).whole(seen, tokens)


def _opened(bench: FreshProcesses, parts: Parts) -> TrainedModel:
    try:
        with BoxSession(bench.box, bench.until) as turn:
            return open_checkpoint(turn, parts.checkpoint)
    except BadCheckpoint as bad:
        raise Stopped(Outcome.FAILED, str(bad)) from bad
    except ProcessLost as lost:
        says = tr("{name}: {lost}", name=parts.checkpoint.name, lost=lost)
        raise Stopped(lost.outcome, says, staff=lost.staff) from lost


def _encoded(tokens: Tokenizer, yard: EvaluationSet, work: SampleSizes, block_size: int, seed: int) -> _Text:
    held_out = passages(yard.held_out, work.held_out, block_size, seed)
    train = passages(yard.train, work.train, block_size, seed)
    numbers = tokens.encode([*held_out, *train])
    return _Text(held_out, train, numbers[: len(held_out)], numbers[len(held_out) :])


@dataclass(frozen=True)
class _Measure:
    """The losses of a model. Each process is asked in the order of the text alone."""

    bench: FreshProcesses
    parts: Parts
    opened: TrainedModel
    text: _Text
    work: SampleSizes
    seed: int

    def whole(self, seen: ModelFacts, tokens: Tokenizer) -> ModelFacts:
        """All that is measured."""
        wanted, far = self._probes(), self._far()
        with self._model() as asked:
            loss = measure_loss(asked, self.text.numbers, self.size, wanted)
            training = measure_loss(asked, self.text.training, self.size)
            sample = _sample(asked, self.text.training[0][:1], self.work.sample, self.size, self.seed)
        with self._model() as asked:
            ahead = alone(asked, self.text.numbers, wanted, self.size)
        unlike, blind = self._compared(loss, ahead, wanted), None
        if unlike:
            with self._model() as asked:
                blind = alone(asked, self.text.numbers, far, self.size)
        with self._model() as asked:
            short = alone(asked, self.text.numbers, far, None)
        return self._put_together(seen, (loss, training, blind, short), unlike, far, tokens.decode([sample]))

    @property
    def size(self) -> int:
        """The windows' length."""
        return self.opened.block_size

    def _model(self) -> AbstractContextManager[Model]:
        return model(self.bench, self.parts, self.opened)

    def _probes(self) -> list[Place]:
        """Places whose window goes on behind them, for which what comes after could be used."""
        last = {p: len(ids) - 1 for p, ids in enumerate(self.text.numbers)}
        inner = [
            place
            for place in places(self.text.numbers)
            if context(place, self.size) < self.size and place.at < last[place.passage]
        ]
        return self._some(inner, self.work.alone)

    def _far(self) -> list[Place]:
        """Places with much context."""
        return self._some(
            [place for place in places(self.text.numbers) if 4 * context(place, self.size) >= self.size],
            min(sample_sizes.PLACES, 4 * self.work.alone),
        )

    def _some(self, found: list[Place], count: int) -> list[Place]:
        drawn = random.Random(self.seed)  # noqa: S311 (which places follows from the run's seed)
        return sorted(drawn.sample(found, min(count, len(found))))

    def _compared(self, whole: Loss, ahead: Loss, wanted: Sequence[Place]) -> Unlike | None:
        """How what the model answers with the whole window differs from what it answers without its end."""
        apart = {place: abs(whole.bits[place] - ahead.bits[place]) for place in wanted}
        odd = [place for place in wanted if apart[place] > PEEKED or _likely(whole, ahead, place) > LIKELY]
        if not odd:
            return None
        again = wanted[:FORGETFUL]
        with self._model() as asked:  # in one process: the next one would draw the same random numbers
            first, second = (alone(asked, self.text.numbers, again, self.size) for _ in range(2))
        forgetful = any(abs(first.bits[p] - second.bits[p]) > PEEKED for p in again)
        return Unlike(len(odd), len(wanted), max(apart.values()), forgetful)

    def _put_together(
        self,
        seen: ModelFacts,
        losses: tuple[Loss, Loss, Loss | None, Loss],
        unlike: Unlike | None,
        far: Sequence[Place],
        sample: Sequence[str],
    ) -> ModelFacts:
        loss, training, blind, short = losses
        characters = sum(map(len, self.text.held_out))
        tokens = sum(map(len, self.text.numbers))
        held_out = loss.per_character(self.text.numbers, characters, self.opened.vocab_size)
        prefixes = None if blind is None else blind.mean(far) * tokens / characters
        full = blind or loss
        gains = torch.tensor([short.bits[place] - full.bits[place] for place in far], dtype=torch.float64)
        train = training.per_character(
            self.text.training, sum(map(len, self.text.train)), self.opened.vocab_size
        )
        trained = replace(
            seen.trained,
            characters=characters,
            held_out=held_out,
            train=train,
            prefixes=prefixes,
            counted=held_out if prefixes is None else prefixes,
            one_token=short.mean(far),
            whole_context=full.mean(far),
            by_context=_by_context(loss, self.size),
            sample=safe_text(sample[0], SHOWN),
        )
        error = float(gains.std() / len(far) ** 0.5) if len(far) > 1 else 0.0
        return replace(seen, trained=trained, unlike=unlike, gain_error=error)


def _likely(whole: Loss, ahead: Loss, place: Place) -> float:
    """The largest difference of any token's probability."""
    return float((torch.exp2(-whole.rows[place]) - torch.exp2(-ahead.rows[place])).abs().max())


def _by_context(loss: Loss, block_size: int) -> tuple[tuple[int, float], ...]:
    """The mean bits per token by the length of the context, in steps that grow."""
    sums: dict[int, list[float]] = {}
    for place, bits in loss.bits.items():
        length = context(place, block_size)
        # A whole window ends with its last place, which alone would say little.
        step = max(step for step in STEPS if step <= max(1, min(length, block_size - 1)))
        sums.setdefault(step, []).append(bits)
    return tuple((step, round(sum(found) / len(found), 4)) for step, found in sorted(sums.items()))


def _sample(asked: Model, start: Tensor, count: int, block_size: int, seed: int) -> Tensor:
    """Numbers drawn from what the model expects, one after another, by the host."""
    generator = torch.Generator().manual_seed(seed)
    ids = start
    for _ in range(count):
        row = torch.exp2(-asked.bits(ids[-block_size:])[-1])
        ids = torch.cat([ids, torch.multinomial(row, 1, generator=generator)])
    return ids
