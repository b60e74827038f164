"""The checks that a measure of a language model has, each made by a call.

    perplexity = MeasureChecks(translatable("the perplexity"), compute_perplexity)

    is_one_number = perplexity.is_one_number(points=1)

Draws are `ScoredTokens`, and a measure is one number for all their tokens.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Check, Target, agree, alike, check, kind, require, same, tensor
from graders.check_api.properties import RANDOM
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME, SMALLEST
from graders.check_api.strategies.scored_tokens import USUAL, ScoredTokens, scored_tokens, sized_tokens
from graders.language import tr

FAR = 8192.0  # added to multiples of 1/8 without rounding, in float32
ROUNDINGS = 2e-6  # sixteen of float32: the logarithm of a sum is as large as its logits
APART = 120.0  # so far apart are two logits, that a softmax in float32 makes one of them 0
PROBABLE = 15  # tokens beside each that is so improbable: the mean loss is 7.5


def _as_it_is(draw: ScoredTokens) -> ScoredTokens:
    return draw


@dataclass(frozen=True)
class MeasureChecks:
    """What the checks of one measure have in common.

    Attributes:
        called: what the number is called in a message, not translated yet.
        due: the number that is due for a draw.
        asked_as: makes of a draw one whose arguments the measure takes.
    """

    called: str
    due: Callable[[ScoredTokens], Target]
    asked_as: Callable[[ScoredTokens], ScoredTokens] = _as_it_is

    def _tokens(self, **options: Any) -> st.SearchStrategy[ScoredTokens]:
        return scored_tokens(**options).map(self.asked_as)

    def _sized(self, batch: int, length: int, words: int, seed: int) -> ScoredTokens:
        return self.asked_as(sized_tokens(batch, length, words, seed))

    def measured(self, candidate: Candidate, draw: ScoredTokens) -> Tensor:
        """The number as a tensor of shape ()."""
        return _one_number(_ask(candidate, draw), tr(self.called))

    def depends_on_the_tokens(self, candidate: Candidate, draw: ScoredTokens) -> None:
        """Require another number where the tokens are less probable: a constant would pass many checks."""
        numbers = [self.measured(candidate, given) for given in (draw, draw.less_probable)]
        require(not torch.equal(*numbers), tr("the answer is the same where the targets are less probable"))

    def is_one_number(self, *, points: float) -> Check:
        """A check that one number comes back."""

        def is_one_number(candidate: Candidate, draw: ScoredTokens) -> None:
            """the answer is one number, a float or a tensor of shape ()

            fr: la réponse est un seul nombre, un float ou un tenseur de forme ()
            """
            answer = _ask(candidate, draw)
            single = isinstance(answer, Tensor) and answer.dim() == 0
            message = tr("there should be one number, but there is {kind}", kind=kind(answer))
            require(single or type(answer) in (int, float), message)

        return check(points=points, given=self._tokens(), shape_only=True)(is_one_number)

    def counts_each_token_once(self, *, points: float) -> Check:
        """A check of padding, which makes the sequences differ in their numbers of tokens."""

        def counts_each_token_once(candidate: Candidate, draw: ScoredTokens) -> None:
            """padding counts nowhere, and a token weighs as much in a short sequence as in a long one

            fr: le padding ne compte nulle part, et un token pèse autant dans une séquence courte que dans
            une longue
            """
            self.is_that_of_the_tokens_alone(candidate, draw)

        return check(points=points, given=self._tokens(padded=True))(counts_each_token_once)

    def is_that_of_the_tokens_alone(self, candidate: Candidate, draw: ScoredTokens) -> None:
        """Require what the tokens give without the padding, in one sequence."""
        alone = self.measured(candidate, draw.tokens_alone)
        padded = self.measured(candidate, draw)
        alike(padded, alone.to(padded.dtype), tr("the answer with padding, against that of the tokens alone"))
        self.depends_on_the_tokens(candidate, draw.tokens_alone)

    def survives_large_logits(self, *, points: float) -> Check:
        """A check of logits whose exponentials are infinite, or 0 for one token."""

        def survives_large_logits(candidate: Candidate, draw: ScoredTokens) -> None:
            """large numbers added to all logits of a position change nothing; a very improbable token counts

            fr: de grands nombres ajoutés à tous les logits d'une position ne changent rien ; un token très
            improbable compte
            """
            draw = replace(draw, logits=(draw.logits * 8).round() / 8)
            expected = self.measured(candidate, draw)
            sides = torch.tensor([1.0, -1.0]).repeat(draw.logits.shape[1])[: draw.logits.shape[1], None]
            for shift in (FAR, -FAR, FAR * sides):
                shifted = self.measured(candidate, replace(draw, logits=draw.logits + shift))
                near = Target(expected.double(), FAR * ROUNDINGS * max(1.0, float(expected.abs())))
                agree(shifted, near, value_name=tr("the answer after large numbers were added"))
            rare, usual = (
                self.measured(candidate, self.asked_as(improbable(logit))) for logit in (-APART, APART)
            )
            message = tr(
                "one token in {n} has the logit {least}, the others have {most}: the answer is {found}",
                n=PROBABLE + 1,
                least=-round(APART / 2),
                most=round(APART / 2),
                found=rare.item(),
            )
            require(bool(rare.isfinite()) and bool(rare != usual), message)

        return check(points=points, given=self._tokens())(survives_large_logits)

    def takes_a_batch_of_sequences(self, *, points: float) -> Check:
        """A check of logits (B, T, V), which others fold where code raises for them."""

        def takes_a_batch_of_sequences(candidate: Candidate, draw: ScoredTokens) -> None:
            """logits (B, T, V) are taken, and give what the same tokens give as one sequence

            fr: des logits (B, T, V) sont acceptés, et donnent ce que donnent les mêmes tokens en une seule
            séquence
            """
            together = _one_number(candidate(*draw.arguments), tr(self.called))
            alone = self.measured(candidate, draw.tokens_alone)
            alike(together, alone.to(together.dtype), tr("the answer for several sequences"))
            self.depends_on_the_tokens(candidate, draw)

        return check(points=points, given=self._tokens())(takes_a_batch_of_sequences)

    def takes_one_sequence_and_one_token(self, *, points: float) -> Check:
        """A check of sizes of 1, which no other check has."""

        def takes_one_sequence_and_one_token(candidate: Candidate, draw: ScoredTokens) -> None:
            """one sequence alone, and sequences of one token, are answered as others are

            fr: une seule séquence, et des séquences d'un seul token, sont traitées comme les autres
            """
            axis = 0 if len(draw.logits) == 1 else 1
            both = [torch.cat([value] * 2, axis) for value in (draw.logits, draw.targets)]
            twice = replace(draw, logits=both[0], targets=both[1])
            once = self.measured(candidate, draw)
            alike(once, self.measured(candidate, twice), tr("the answer, against that for the tokens twice"))
            self.depends_on_the_tokens(candidate, twice)

        given = [self._tokens(corner=corner) for corner in ("batch", "length")]
        return check(points=points, given=given, kept_because=SMALLEST)(takes_one_sequence_and_one_token)

    def computes_in_double_precision(self, *, points: float) -> Check:
        """A check of the number in float64, where that in float32 is right."""
        return function_checks.computes_in_double_precision(
            points=points,
            answer=self.due,
            output_of=self._in_dtype,
            given=self._tokens(dtype=torch.float64, calm=True),
            kept_because="code that gives float32 back fails here alone",
        )

    def _in_dtype(self, candidate: Candidate, draw: ScoredTokens) -> Tensor:
        """The number, which should depend on the tokens; of a float, in the dtype of the logits."""
        self.depends_on_the_tokens(candidate, draw)
        answer = _ask(candidate, draw)
        value = _one_number(answer, tr(self.called))
        return value if isinstance(answer, Tensor) else torch.tensor(float(answer), dtype=draw.logits.dtype)

    def answers_extreme_sizes(self, *, points: float) -> Check:
        """A check of sizes that are large or equal."""
        return function_checks.answers_extreme_sizes(
            points=points,
            kept_because=EXTREME,
            answer=self.due,
            output_of=self.measured,
            usual=partial(self._sized, 3, 4, 8),
            otherwise=self.depends_on_the_tokens,
            fixed=[partial(self._sized, 4, 4, 7)],
            stretched=[
                lambda n, seed: self._sized(n, 3, 8, seed),
                lambda n, seed: self._sized(3, n, 8, seed),
                lambda n, seed: self._sized(3, 4, n, seed),
            ],
        )

    def leaves_its_arguments_alone(self, *, points: float) -> Check:
        """A check that a call changes nothing of its caller's."""

        def leaves_its_arguments_alone(candidate: Candidate, draw: ScoredTokens) -> str | None:
            """logits and targets keep their values, and the second call answers as the first

            fr: les logits et les cibles gardent leurs valeurs, et le second appel répond comme le premier
            """
            usual = replace(draw, targets=torch.where(draw.counted, draw.targets, USUAL), ignore_index=USUAL)
            self.depends_on_the_tokens(candidate, draw.tokens_alone)
            return self._keeps_arguments(candidate, usual)

        given = self._tokens(padded=True)
        return check(points=points, given=given, on_its_word=True)(leaves_its_arguments_alone)

    def _keeps_arguments(self, candidate: Candidate, draw: ScoredTokens) -> str | None:
        taken = _first_answered(candidate, draw, draw.flat, draw.tokens_alone, draw.tokens_alone.flat)
        call = candidate.observed_call(*taken.arguments)
        for name, before, after in zip(draw.argument_names, taken.arguments, call.args, strict=False):
            if isinstance(before, Tensor):
                same(after, before, tr("{name} after the call", name=name))
        second = _one_number(candidate(*taken.arguments), tr(self.called))
        alike(second, _one_number(call.answer, tr(self.called)), tr("the answer of the second call"))
        return None if call.random_state_kept else tr(RANDOM)


def _first_answered(candidate: Candidate, *draws: ScoredTokens) -> ScoredTokens:
    """The first draw that the code answers, or the first: axes and padding have checks of their own."""
    for draw in draws:
        with contextlib.suppress(Raised):
            candidate(*draw.arguments)
            return draw
    return draws[0]


def improbable(difference: float) -> ScoredTokens:
    """Two sequences of tokens that are sure, but one in each, whose logit differs by so much."""
    logits = torch.tensor([APART / 2, -APART / 2, -APART / 2]).repeat(2, PROBABLE + 1, 1)
    logits[:, 3, :2] = torch.tensor([difference / 2, -difference / 2])
    return ScoredTokens(logits, torch.zeros(logits.shape[:2], dtype=torch.int64))


def _one_number(answer: Any, value_name: str) -> Tensor:
    """The answer as a tensor of shape (), also where it has axes of size 1 or is a number of Python's.

    Raises:
        Violation: it is no number, or there are several.
    """
    if type(answer) in (int, float):
        return torch.tensor(float(answer))
    value = tensor(answer, value_name)
    message = tr(
        "{what} should be one number, but has shape {shape}", what=value_name, shape=tuple(value.shape)
    )
    require(value.numel() == 1, message)
    return value.reshape(()).detach()


def read_number(answer: Any, _logits: Any) -> Tensor:
    """The number of an answer, for checks that ask whether it depends on the logits."""
    return _one_number(answer, tr("the answer"))


def _ask(candidate: Candidate, draw: ScoredTokens) -> Any:
    """The answer for a draw; for its tokens in one row where code takes no batch of sequences.

    One check is about that, the others are not.
    """
    try:
        return candidate(*draw.arguments)
    except Raised as raised:
        try:
            return candidate(*draw.flat.arguments)
        except Raised:
            raise raised from None
