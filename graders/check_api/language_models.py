"""A student's language model whose answers are read in whatever form they come.

One check is about the form of an answer. All others judge the logits in it: flattened, transposed, of the
last position alone, beside a loss or behind it, for more ids than there are.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from graders.check_api.candidate import Candidate, Convert, Gradients, Module, ObservedCall, Raised, Seeded
from graders.check_api.compare import Violation, alike, require, tensor
from graders.check_api.properties import depends_on, first_tensor, uses_its_weights
from graders.check_api.strategies.token_ids import Text, both_of, due, loss_agrees, moves
from graders.language import tr
from softmark_worker.answer_parts import parts_of


class LanguageModel:
    """A student's language model with random weights; it is called as the module is, and has its methods.

    A call gives the logits (B, T, V), and with targets (logits, loss) if there is a loss.
    Code that fails where the block is filled gets a position more; code that fails without targets gets some.
    Other checks are about both.
    """

    def __init__(self, candidate: Candidate, draw: Text, own_weights: bool = False, **changes: Any) -> None:
        """Build the module.

        Args:
            candidate: the student's class.
            draw: with the configuration and the seed of the weights.
            own_weights: whether it keeps the weights with which it is constructed.
            changes: to the configuration.
        """
        with_weights = partial(candidate.with_random_weights, draw.seed)
        self._build: Callable[..., Module] = candidate.construct if own_weights else with_weights
        self._config: dict[str, Any] = {**draw.config, **changes}
        self.has_grown = False  # whether it needed a position more than block_size
        self._words: int = self._config["vocab_size"]
        self._module = self._build(**self._config)
        self.convert: Convert = self._module.convert

    @property
    def frozen(self) -> frozenset[str]:
        """The names of its parameters that are not trained."""
        return self._module.frozen

    def parameters(self) -> dict[str, Tensor]:
        """Its named parameters."""
        return self._module.parameters()

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of its parameters."""
        return self._module.shapes()

    def load(self, parameters: Mapping[str, Tensor], dtype: Any = None) -> "LanguageModel":
        """Set parameters by name."""
        self._module = self._module.load(parameters, dtype)
        return self

    def train(self, mode: bool = True) -> "LanguageModel":
        """Training or evaluation mode."""
        self._module = self._module.train(mode)
        return self

    def to(self, dtype: Any) -> "LanguageModel":
        """Change its floating-point dtype."""
        self._module = self._module.to(dtype)
        return self

    def train_steps(self, *args: Any, steps: int, rate: float) -> "LanguageModel":
        """Train it on one batch, with the loss that it returns behind its logits."""
        self._module = self._module.train_steps(*args, steps=steps, rate=rate)
        return self

    def seeded(self, seed: int, *args: Any) -> Seeded:
        """As the module's."""
        return self._module.seeded(seed, *args)

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """As the module's."""
        return self._module.gradients(*args, upstream=upstream)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The logits (B, T, V); with targets the pair (logits, loss), if there is a loss."""
        logits, loss = self.read(*args, **kwargs)
        logits = self._cut(logits)
        return logits if len(args) == 1 or loss is None else (logits, loss)

    def read(self, idx: Tensor, targets: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        """The logits, with as many columns as they have, and the loss if there is one.

        Raises:
            Violation: there are no logits.
        """
        answer = self._answer(idx, targets)
        return self._logits_in(answer, tuple(idx.shape)), _loss_in(answer)

    def observed_call(self, *args: Any, **kwargs: Any) -> ObservedCall:
        """The logits, and the side effects of the call."""
        self._answer(*args)  # finds a module that takes them
        call = self._module.observed_call(*args, **kwargs)
        logits = self._logits_in(call.answer, tuple(args[0].shape))
        return ObservedCall(self._cut(logits), call.args, call.random_state_kept)

    def loss_gradients(self, draw: Text) -> Gradients:
        """The gradients of the loss, wherever it stands; without a loss those of the logits' sum."""
        answer = self._answer(*draw.arguments)
        parts = parts_of(answer)
        tensors = [n for n, part in enumerate(parts) if isinstance(part, Tensor) and part.is_floating_point()]
        places = [n for n in tensors if parts[n].dim() == 0] or tensors
        require(bool(places), tr("there is no loss"))
        upstream = [torch.ones(parts[n].shape) if n == places[0] else None for n in range(len(parts))]
        return self._module.gradients(*draw.arguments, upstream=upstream)

    def sees(self, draw: Text, position: int) -> bool:
        """Whether the last logits change with the id at a position."""
        changed = draw.idx.clone()
        changed[:, position] = (changed[:, position] + 1) % self._words
        return moves(first_tensor(self(draw.idx))[:, -1], first_tensor(self(changed))[:, -1])

    def answers_its_input(self, draw: Text) -> None:
        """Require signs that the model computes: the same answer twice, others for other ids and weights.

        The module keeps the other weights.

        Raises:
            Violation: a sign is missing.
        """
        logits = first_tensor(self(draw.idx))
        alike(first_tensor(self(draw.idx)), logits.detach(), tr("the logits of the second call"))
        depends_on(self, logits, [(draw.idx + 1) % self._words], "idx")
        uses_its_weights(self, logits, [draw.idx], draw.seed)

    def _cut(self, logits: Tensor) -> Tensor:
        """The logits with V columns."""
        columns = self._words - logits.shape[-1]
        return functional.pad(logits, (0, columns)) if columns else logits

    def _answer(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        arguments = [idx] if targets is None else [idx, targets]
        try:
            return self._module(*arguments)
        except Raised as first:
            for more, given in ((0, [idx, idx]), (1, arguments)):
                try:
                    module = self._roomier() if more else self._module
                    answer = module(*given)
                except Raised:
                    continue
                self._module, self.has_grown = module, self.has_grown or bool(more)
                return answer
            raise first from None

    def _roomier(self) -> Module:
        return self._build(**{**self._config, "block_size": self._config.get("block_size", 0) + 1})

    def _turned(self) -> bool:
        """Whether the logits are (B, V, T), which one id shows."""
        try:
            answer = self._module(torch.zeros(1, 1, dtype=torch.int64))
        except Raised:
            return False
        parts = parts_of(answer)
        return any(isinstance(part, Tensor) and tuple(part.shape) == (1, self._words, 1) for part in parts)

    def _logits_in(self, answer: Any, shape: tuple[int, ...]) -> Tensor:
        batch, length = shape
        parts = parts_of(answer)
        candidates = [part for part in parts if isinstance(part, Tensor) and part.dim() > 1]
        logits = tensor(candidates[0] if candidates else answer, tr("the logits"))
        if logits.dim() == 2 and logits.shape[0] == batch * length:
            logits = logits.unflatten(0, (batch, length))
        elif logits.dim() == 2 and logits.shape[0] == batch:
            logits = logits[:, None]
        elif tuple(logits.shape) == (batch, self._words, length) and (
            length != self._words or self._turned()
        ):
            logits = logits.transpose(1, 2)
        readable = logits.dim() == 3 and logits.shape[:2] in ((batch, length), (batch, 1))
        require(readable, tr("the output should begin with {shape}", shape=shape))
        message = tr("the logits should be floats, but their dtype is {dtype}", dtype=logits.dtype)
        require(logits.is_floating_point(), message)
        return logits


def _loss_in(answer: Any) -> Tensor | None:
    """The one number of an answer, as a tensor."""
    for part in parts_of(answer):
        if isinstance(part, Tensor) and part.dim() == 0:
            return part
        if isinstance(part, float):
            return torch.tensor(part)
    return None


def bigram_bound(words: Tensor, next_ids: Tensor) -> float:
    """The smallest loss, in nats, that is possible on a batch from the current id alone."""
    pairs = list(zip(words.flatten().tolist(), next_ids.flatten().tolist(), strict=True))
    first = [word for word, _ in pairs]
    return -sum(math.log(pairs.count(pair) / first.count(pair[0])) for pair in pairs) / len(pairs)


def has_a_right_loss(candidate: Candidate, draw: Text) -> bool:
    """Whether there is a loss behind the logits, and it is theirs: something to learn from."""
    module = candidate.with_random_weights(draw.seed, **draw.config)
    try:
        logits, loss, _ = both_of(module(*draw.arguments), draw)
        loss_agrees(loss, logits, draw)
    except (Violation, Raised):
        return False
    return True


def knows_by_parameters_alone(
    candidate: Candidate, draw: Text, learnt: Mapping[str, Tensor], bound: float
) -> None:
    """Require what was learnt to be in the parameters: code may also keep the batch that it was taught.

    A new process knows the parameters alone, and gets the sequences in another order.

    Args:
        candidate: the student's class. Its modules are gone afterwards.
        draw: the batch that was taught.
        learnt: the parameters afterwards, by name.
        bound: the loss, in nats, below which it knows the batch.

    Raises:
        Violation: the loss is not below it.
    """
    assert draw.targets is not None
    candidate.start_anew()
    logits = LanguageModel(candidate, draw, own_weights=True).load(learnt)(draw.idx.flip(0))
    message = tr("a new model with the same parameters does not know what was learnt")
    require(float(due(logits, draw.targets.flip(0)).exact) < bound, message)
