"""The losses of a trained model on passages of text, and whether its answers depend on later ids."""

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from graders.check_api.criterion import NEAR, Cause, ModelFacts, Unlike, Unmoved
from graders.language import tr
from graders.results.result import Outcome
from graders.safe_text import safe_text
from graders.trained import sample_sizes
from graders.trained.checkpoint import TrainedModel
from graders.trained.chosen_places import (
    distant_places,
    draw,
    draw_by_gain,
    draw_of_each_context,
    inner_places,
)
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
SLIGHTLY = 1e-3  # of the spread of a tensor of weights: it changes every answer that is computed from them
DISTANT_CHANGES = 24  # places at which an id farther back is changed
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
        prefixes: at places of all contexts, from prefixes only; None where whole windows gave the same.
        distant: at the distant places, from prefixes only; `whole` where whole windows gave the same.
        one_token: at the distant places, from one token of context.
    """

    whole: Loss
    train: Loss
    prefixes: Loss | None
    distant: Loss
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
        inner = self._inner_places()
        distant = draw(distant_places(ids, block_size), self._count_of_places, self.seed)
        if not distant:
            message = tr("encode makes a single token of each text, so that there is none to predict")
            raise MeasurementStopped(Outcome.FAILED, message)
        with self._model() as model:
            whole = measure_loss(model, ids, block_size, inner)
            train = measure_loss(model, self.text.train_ids, block_size)
            sample = _sample(model, self.text.train_ids[0][:1], self.sizes.sample, block_size, self.seed)
        unlike, prefixes, with_context = self._find_unlike(whole, inner), None, whole
        facts = replace(facts, unlike=unlike)
        yield facts
        if unlike:
            with self._model() as model:
                places = draw_of_each_context(ids, block_size, self._count_of_places, self.seed)
                prefixes = predict_from_prefixes(model, ids, places, block_size)
            with self._model() as model:  # the first has seen what follows
                with_context = predict_from_prefixes(model, ids, distant, block_size)
        with self._model() as model:
            one_token = predict_from_prefixes(model, ids, distant, None)
        facts = replace(facts, unmoved=self._find_unmoved())
        losses = _Losses(whole, train, prefixes, with_context, one_token)
        written = tokenizer.decode([sample])[0]
        yield self._summarise(facts, losses, distant, written, evaluation_set)

    @property
    def block_size(self) -> int:
        """The length of a window, in tokens."""
        return self.trained_model.block_size

    def _model(self) -> AbstractContextManager[Model]:
        return build_model(self.processes, self.parts, self.trained_model)

    def _inner_places(self) -> list[Place]:
        """Half of the places at which answers are compared; the others are drawn by what the model gains."""
        inner = inner_places(self.text.held_out_ids, self.block_size)
        return draw(inner, -(-self.sizes.prefixes // 2), self.seed)

    @property
    def _count_of_places(self) -> int:
        """How many places are predicted from a beginning, or from one token of it."""
        return min(sample_sizes.SHORT_CONTEXT_PLACES, 4 * self.sizes.prefixes)

    def _find_unmoved(self) -> tuple[Unmoved, ...]:
        """Where another id farther back changes nothing, and where slightly other weights change nothing."""
        held_out = self.text.held_out_ids
        distant = [place for place in all_places(held_out) if context_length(place, self.block_size) > NEAR]
        places = draw(distant, min(DISTANT_CHANGES, self.sizes.prefixes), self.seed)
        if not places:
            return ()
        asked = [
            held_out[place.passage][place.at - context_length(place, self.block_size) : place.at]
            for place in places
        ]
        with self._model() as model:
            before = [model.last_bits(ids) for ids in asked]
            by_ids = [model.last_bits(ids) for ids in self._with_another_id(asked)]
        near = replace(self.trained_model, state=_moved_slightly(self.trained_model.state, self.seed))
        with build_model(self.processes, self.parts, near) as model:
            by_weights = [model.last_bits(ids) for ids in asked]
        return tuple(
            Unmoved(sum(map(torch.equal, before, after)), len(places), cause)
            for cause, after in ((Cause.IDS, by_ids), (Cause.WEIGHTS, by_weights))
        )

    def _with_another_id(self, asked: Sequence[Tensor]) -> Iterator[Tensor]:
        """The same with another id, of those that the text has, at one place that is not near the end."""
        generator = random.Random(self.seed)  # noqa: S311 (the run's seed determines the ids)
        known = sorted({number for ids in self.text.held_out_ids for number in ids.tolist()})
        for ids in asked:
            changed, at = ids.clone(), generator.randrange(len(ids) - NEAR)
            changed[at] = generator.choice([number for number in known if number != int(ids[at])] or known)
            yield changed

    def _find_unlike(self, whole: Loss, inner: Sequence[Place]) -> Unlike | None:
        """How predictions from whole windows differ from those from prefixes; None where they do not."""
        ids = self.text.held_out_ids
        all_inner = inner_places(ids, self.block_size)
        gained = draw_by_gain(ids, whole, all_inner, self.sizes.prefixes // 2, self.seed)
        places = sorted({*inner, *gained})
        with self._model() as model:
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
            first, second = (predict_from_prefixes(model, ids, repeated, self.block_size) for _ in range(2))
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
        prefixes, counted_on = None, float(characters)
        if losses.prefixes is not None:
            drawn = list(losses.prefixes.bits)
            passages = len(self.text.held_out_ids)  # the first token of each costs what it always does
            bits = losses.prefixes.mean(drawn) * (tokens - passages) + passages * math.log2(vocab_size)
            prefixes, counted_on = bits / characters, len(drawn) * characters / tokens
        gains = torch.tensor(
            [losses.one_token.bits[place] - losses.distant.bits[place] for place in distant],
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
            whole_context=losses.distant.mean(distant),
            by_context=_loss_by_context(losses.whole, self.block_size),
            sample=safe_text(sample, SAMPLE_SHOWN),
        )
        error = float(gains.std() / len(distant) ** 0.5) if len(distant) > 1 else 0.0
        return replace(facts, trained=trained, gain_error=error)


def _moved_slightly(state: Mapping[str, Tensor], seed: int) -> dict[str, Tensor]:
    """Weights with a thousandth of their spread added at random; numbers that are whole stay as they are."""
    generator = torch.Generator().manual_seed(seed)
    moved = {}
    for name, value in state.items():
        spread = float(value.double().std(correction=0)) if value.is_floating_point() else 0.0
        noise = torch.randn(value.shape, generator=generator) * SLIGHTLY * (spread or 1.0)
        is_learnt = value.is_floating_point() and math.isfinite(spread)
        moved[name] = value + noise.to(value.dtype) if is_learnt else value
    return moved


def _probability_change(whole: Loss, from_prefixes: Loss, place: Place) -> float:
    """The largest difference between the two probabilities of any token; 0 where one row is not kept."""
    if place not in whole.rows:
        return 0.0
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
