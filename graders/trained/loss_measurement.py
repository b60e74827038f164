"""The losses of a trained model on passages of text, and whether its answers depend on later ids."""

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
from graders.trained import sample_sizes
from graders.trained.checkpoint import TrainedModel
from graders.trained.fresh_process import MeasurementStopped, Parts, Processes
from graders.trained.held_out import EvaluationSet
from graders.trained.loss import (
    Loss,
    Place,
    all_places,
    context_length,
    measure_loss,
    predict_from_prefixes,
)
from graders.trained.next_token import Model, build_model
from graders.trained.sample_sizes import SampleSizes
from graders.trained.tokenizer import Tokenizer

MAX_BITS_CHANGE = 0.02  # of a prediction when later tokens are removed: far above rounding
MAX_PROBABILITY_CHANGE = 0.01  # the same for the probability of any token
REPEATED_PLACES = 8  # predicted twice, to recognise dropout
CONTEXT_STEPS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
SAMPLE_SHOWN = 2_000  # characters of the text that the model writes


@dataclass(frozen=True)
class Text:
    """The passages that a model is measured on, and their token ids."""

    held_out: Sequence[str]
    train: Sequence[str]
    held_out_ids: Sequence[Tensor]
    train_ids: Sequence[Tensor]


@dataclass(frozen=True)
class _Losses:
    """All losses of a model.

    Attributes:
        whole: on the held-out text, in whole windows.
        train: on the training text, in whole windows.
        prefixes: at the distant places, from prefixes only; None where whole windows gave the same.
        one_token: at the distant places, from one token of context.
    """

    whole: Loss
    train: Loss
    prefixes: Loss | None
    one_token: Loss


@dataclass(frozen=True, kw_only=True)
class LossMeasurement:
    """Measures the losses of a model. Each process gets its requests in the order of the text."""

    processes: Processes
    parts: Parts
    trained_model: TrainedModel
    text: Text
    sizes: SampleSizes
    seed: int

    def look_ahead(self) -> Unlike | None:
        """How answers depend on later ids; None where they do not."""
        inner = self._inner_places()
        with self._model() as model:
            whole = measure_loss(model, self.text.held_out_ids, self.block_size, inner)
        return self._find_unlike(whole, inner)

    def run(
        self, facts: ModelFacts, tokenizer: Tokenizer, evaluation_set: EvaluationSet
    ) -> Iterator[ModelFacts]:
        """Yield the facts once it is known how answers depend on later ids, and with all that is measured."""
        ids, block_size = self.text.held_out_ids, self.block_size
        inner, distant = self._inner_places(), self._distant_places()
        if not distant:
            message = tr("encode makes a single token of each text, so that there is none to predict")
            raise MeasurementStopped(Outcome.FAILED, message)
        with self._model() as model:
            whole = measure_loss(model, ids, block_size, inner)
            train = measure_loss(model, self.text.train_ids, block_size)
            sample = _sample(model, self.text.train_ids[0][:1], self.sizes.sample, block_size, self.seed)
        unlike, prefixes = self._find_unlike(whole, inner), None
        facts = replace(facts, unlike=unlike)
        yield facts
        if unlike:
            with self._model() as model:
                prefixes = predict_from_prefixes(model, ids, distant, block_size)
        with self._model() as model:
            one_token = predict_from_prefixes(model, ids, distant, None)
        losses = _Losses(whole, train, prefixes, one_token)
        written = tokenizer.decode([sample])[0]
        yield self._summarise(facts, losses, distant, written, evaluation_set)

    @property
    def block_size(self) -> int:
        """The length of a window, in tokens."""
        return self.trained_model.block_size

    def _model(self) -> AbstractContextManager[Model]:
        return build_model(self.processes, self.parts, self.trained_model)

    def _inner_places(self) -> list[Place]:
        """Places whose window has later tokens, which a model without a causal mask would use."""
        last = {passage: len(ids) - 1 for passage, ids in enumerate(self.text.held_out_ids)}
        inner = [
            place
            for place in all_places(self.text.held_out_ids)
            if context_length(place, self.block_size) < self.block_size and place.at < last[place.passage]
        ]
        return self._draw(inner, self.sizes.prefixes)

    def _distant_places(self) -> list[Place]:
        """Places with at least a quarter of the longest context; a passage may be shorter than a window."""
        lengths = {
            place: context_length(place, self.block_size) for place in all_places(self.text.held_out_ids)
        }
        longest = max(lengths.values(), default=0)
        distant = [place for place, length in lengths.items() if 4 * length >= longest]
        return self._draw(distant, min(sample_sizes.SHORT_CONTEXT_PLACES, 4 * self.sizes.prefixes))

    def _draw(self, places: list[Place], count: int) -> list[Place]:
        generator = random.Random(self.seed)  # noqa: S311 (the run's seed determines the places)
        return sorted(generator.sample(places, min(count, len(places))))

    def _find_unlike(self, whole: Loss, places: Sequence[Place]) -> Unlike | None:
        """How predictions from whole windows differ from those from prefixes; None where they do not."""
        with self._model() as model:
            ids = self.text.held_out_ids
            from_prefixes = predict_from_prefixes(model, ids, places, self.block_size, keep_rows=True)
        differences = {place: abs(whole.bits[place] - from_prefixes.bits[place]) for place in places}
        different = [
            place
            for place in places
            if differences[place] > MAX_BITS_CHANGE
            or _probability_change(whole, from_prefixes, place) > MAX_PROBABILITY_CHANGE
        ]
        if not different:
            return None
        repeated = places[:REPEATED_PLACES]
        with self._model() as model:  # in one process: a second one would draw the same random numbers
            first, second = (
                predict_from_prefixes(model, self.text.held_out_ids, repeated, self.block_size)
                for _ in range(2)
            )
        forgetful = any(abs(first.bits[place] - second.bits[place]) > MAX_BITS_CHANGE for place in repeated)
        return Unlike(len(different), len(places), max(differences.values()), forgetful)

    def _summarise(
        self,
        facts: ModelFacts,
        losses: _Losses,
        distant: Sequence[Place],
        sample: str,
        evaluation_set: EvaluationSet,
    ) -> ModelFacts:
        characters = sum(map(len, self.text.held_out))
        tokens = sum(map(len, self.text.held_out_ids))
        vocab_size = self.trained_model.vocab_size
        held_out = losses.whole.per_character(self.text.held_out_ids, characters, vocab_size)
        prefixes = None if losses.prefixes is None else losses.prefixes.mean(distant) * tokens / characters
        counted_on = characters if prefixes is None else len(distant) * characters / tokens
        with_context = losses.prefixes or losses.whole
        gains = torch.tensor(
            [losses.one_token.bits[place] - with_context.bits[place] for place in distant],
            dtype=torch.float64,
        )
        trained = replace(
            facts.trained,
            characters=characters,
            held_out=held_out,
            train=losses.train.per_character(self.text.train_ids, sum(map(len, self.text.train)), vocab_size),
            prefixes=prefixes,
            counted=held_out if prefixes is None else prefixes,
            least=evaluation_set.least_on(counted_on),
            one_token=losses.one_token.mean(distant),
            whole_context=with_context.mean(distant),
            by_context=_loss_by_context(losses.whole, self.block_size),
            sample=safe_text(sample, SAMPLE_SHOWN),
        )
        error = float(gains.std() / len(distant) ** 0.5) if len(distant) > 1 else 0.0
        return replace(facts, trained=trained, gain_error=error)


def _probability_change(whole: Loss, from_prefixes: Loss, place: Place) -> float:
    """The largest difference between the two probabilities of any token."""
    return float((torch.exp2(-whole.rows[place]) - torch.exp2(-from_prefixes.rows[place])).abs().max())


def _loss_by_context(loss: Loss, block_size: int) -> tuple[tuple[int, float], ...]:
    """The mean bits per token by the length of the context, grouped in growing steps."""
    groups: dict[int, list[float]] = {}
    for place, bits in loss.bits.items():
        length = context_length(place, block_size)
        # Each window has a single place of full context; alone in a group it would say little.
        step = max(step for step in CONTEXT_STEPS if step <= max(1, min(length, block_size - 1)))
        groups.setdefault(step, []).append(bits)
    return tuple((step, round(sum(bits) / len(bits), 4)) for step, bits in sorted(groups.items()))


def _sample(model: Model, start: Tensor, count: int, block_size: int, seed: int) -> Tensor:
    """Token ids that the host draws, one after another, from the model's probabilities."""
    generator = torch.Generator().manual_seed(seed)
    ids = start
    for _ in range(count):
        probabilities = torch.exp2(-model.last_bits(ids[-block_size:]))
        ids = torch.cat([ids, torch.multinomial(probabilities, 1, generator=generator)])
    return ids
