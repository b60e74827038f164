"""The checks that nearly every exercise about a module has, each made by a call.

    options = Options(diagnostic_draws=...)
    network = ModuleChecks(fed(hidden_size=sizes(2, 6), intermediate_size=units()), options)

    keeps_the_shape = network.keeps_the_shape(points=1)
    computes_what_the_reference_computes = network.computes_what_the_reference_computes(points=6)

The variable's name is the check's name. `says` is its line in the report, if the exercise has its own.
An exercise's own checks stand beside them as functions. B batch, S sequence, E width.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, TypedDict, Unpack

import torch
from hypothesis.strategies import SearchStrategy
from torch import Tensor

from graders.check_api import properties, variation
from graders.check_api.candidate import Candidate, Module
from graders.check_api.check import AtLength, Check, check
from graders.check_api.compare import alike, shaped, tensor
from graders.check_api.options import Options, read_first
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.reference_gradients import teaches
from graders.check_api.strategies.extremes import Extremes
from graders.check_api.strategies.lengths import EXTREME, LONG, SMALLEST, of_length
from graders.check_api.strategies.module_inputs import Given, Indivisible, indivisible
from graders.check_api.variation import Varied, vary
from graders.language import tr

LONG_FROM = 33  # positions of a long sequence, at least


class Own(TypedDict, total=False):
    """What an exercise may say otherwise of a standard check: see `graders.check_api.check.check`."""

    says: str
    given: SearchStrategy[Any] | Sequence[SearchStrategy[Any]]
    draws: int
    kept_because: str
    shape_only: bool
    at_length: AtLength
    fixed: Sequence[Callable[[int], Any]]


def first_shape(draw: Given) -> tuple[int, ...]:
    """The shape of the first argument."""
    return tuple(draw.arguments[0].shape)


@dataclass(frozen=True)
class ModuleChecks:
    """What the checks of one module have in common.

    Attributes:
        draws: gives a strategy for a configuration and an input; takes `least` and `most` (the numbers of
            positions), `dtype` and `corner` (the name of the size that is 1).
        options: those of the exercise.
        roomy: draws that are so wide that no check depends on luck; by default `draws(least=3)`.
        shape: the shape of the output for a draw; by default that of the first argument.
        value_name: the name of the output in a message, as `translatable` gives it; by default "the output".
        answer: computes the reference's answer to a draw, and with `with_gradients=True` its gradients; by
            default with the options' activations.
        fit: chooses from what `answer` gave, for the student's module; None where there is one right answer.
    """

    draws: Callable[..., SearchStrategy[Any]]
    options: Options = field(default_factory=Options)
    roomy: SearchStrategy[Any] | None = None
    shape: Callable[[Any], tuple[int, ...]] = first_shape
    value_name: str | None = None
    answer: Callable[..., Any] | None = None
    fit: Callable[[Candidate, Any], Any] | None = None

    def keeps_the_shape(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that the output has its shape, and that nothing else comes back where one tensor is due."""

        def keeps_the_shape(candidate: Candidate, draw: Given) -> None:
            """(B, S, E) stays (B, S, E), and one tensor comes back

            fr: (B, S, E) reste (B, S, E), et un seul tenseur est rendu
            """
            answer = candidate.construct(**draw.config)(*draw.arguments)
            given, read = draw.arguments[0], self.options.read
            output = tensor(answer) if read is read_first else read(answer, given)
            shaped(output, self.shape(draw), self._value_name)

        return self._make(keeps_the_shape, points, own, shape_only=True)

    def has_parameters(
        self, count: Callable[[Mapping[str, Any]], int], *, points: float, **own: Unpack[Own]
    ) -> Check:
        """A check that a new module has so many values in its parameters; `count` takes the configuration."""

        def has_parameters(candidate: Candidate, draw: Given) -> None:
            """its parameters are those of its parts

            fr: ses paramètres sont ceux de ses parties
            """
            properties.has_parameters(candidate.construct(**draw.config).parameters(), count(draw.config))

        return self._make(has_parameters, points, own, shape_only=True)

    def computes_what_the_reference_computes(self, *, points: float, **own: Unpack[Own]) -> Check:
        """The core: the reference's output under the reference's weights."""

        def computes_what_the_reference_computes(
            candidate: Candidate, draw: Given, answer: ReferenceAnswer
        ) -> None:
            """under the same weights, the output is the reference's

            fr: avec les mêmes poids, la sortie est celle de la référence
            """
            answer.agree(self._answer(candidate, answer), value_name=self._value_name)

        return self._make(
            computes_what_the_reference_computes, points, own, answer=self._reference_answer, core=True
        )

    def computes_in_double_precision(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the output in float64."""

        def computes_in_double_precision(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """in float64 the answer is of float64, and the same as in float32

            fr: en float64, la réponse est en float64, et la même qu'en float32
            """
            variation.agree_in_double(candidate, answer, self._answer, self._value_name)

        return self._make(
            computes_in_double_precision,
            points,
            own,
            given=self.draws(dtype=torch.float64),
            answer=vary(variation.cast_to_single, self._reference_answer),
        )

    def answers_long_sequences(
        self,
        *,
        points: float,
        otherwise: Callable[[Module, Any], None] | None = variation.answers_repeats_alike,
        extremes: Extremes | None = None,
        **own: Unpack[Own],
    ) -> Check:
        """A check of long sequences and of other extreme sizes.

        Args:
            points: its weight.
            otherwise: what is required for long sequences where the output for short ones is wrong.
            extremes: draws in which other sizes are large or equal.
            own: what is otherwise.
        """

        def answers_long_sequences(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """long sequences, large sizes and equal ones are answered as others are

            fr: de longues séquences, de grandes tailles et des tailles égales reçoivent la même réponse que
            les autres
            """
            required = otherwise if _is_long(draw) else None
            variation.agree_in_variation(candidate, answer, required, self._answer, self._value_name)

        def make_usual(draw: Given) -> Any:
            return variation.shorten(draw) if _is_long(draw) else self._usual(draw)

        return self._make(
            answers_long_sequences,
            points,
            own,
            given=self.draws(least=LONG_FROM, most=128),
            answer=vary(make_usual, self._reference_answer),
            draws=3,
            kept_because=LONG,
            at_length=of_length(self.draws),
            fixed=extremes.fixed if extremes else (),
            stretched=extremes.stretched if extremes else (),
        )

    def answers_extreme_sizes(self, extremes: Extremes, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of sizes that are large or equal, where the output for usual ones is right."""

        def answers_extreme_sizes(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """large sizes, and sizes that are equal, are answered as others are

            fr: de grandes tailles, et des tailles égales, reçoivent la même réponse que les autres
            """
            variation.agree_in_variation(candidate, answer, None, self._answer, self._value_name)

        return self._make(
            answers_extreme_sizes,
            points,
            own,
            given=None,
            answer=vary(self._usual, self._reference_answer),
            fixed=extremes.fixed,
            stretched=extremes.stretched,
            kept_because=EXTREME,
        )

    def answers_the_smallest_sizes(self, *corners: str, points: float, **own: Unpack[Own]) -> Check:
        """A check of sizes of 1, which no other check has: `draws` takes each of `corners`.

        One sequence alone is for `treats_sequences_apart`. Code that is wrong otherwise has to answer.

        Args:
            corners: the names of the sizes, "length" or those of the configuration.
            points: its weight.
            own: what is otherwise.
        """

        def answers_the_smallest_sizes(candidate: Candidate, draw: Given, answer: Varied) -> None:
            """the smallest sizes, such as one position or one head, are answered as larger ones are

            fr: les plus petites tailles, une position ou une tête par exemple, sont traitées comme de plus
            grandes
            """
            variation.agree_at_corner(candidate, answer, self._answer, self._value_name)

        def enlarge(draw: Given) -> Given:
            usual: Given = self.options.diagnostic_draws(draw.seed)[0]
            return variation.cast_to_single(usual)

        return self._make(
            answers_the_smallest_sizes,
            points,
            own,
            given=[self.draws(corner=corner) for corner in corners],
            answer=vary(enlarge, self._reference_answer),
            draws=2 * len(corners),
            kept_because=SMALLEST,
        )

    def treats_sequences_apart(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that the other sequences of a batch change nothing for one."""

        def treats_sequences_apart(candidate: Candidate, draw: Given) -> None:
            """each sequence of a batch is answered as if it were alone

            fr: chaque séquence d'un lot reçoit la même réponse que seule
            """
            self._treat_sequences_apart(candidate.with_random_weights(draw.seed, **draw.config), draw)

        return self._make(treats_sequences_apart, points, own)

    def treats_positions_alike_and_apart(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that the same function acts on each position."""

        def treats_positions_alike_and_apart(candidate: Candidate, draw: Given) -> None:
            """every position goes through the same network by itself

            fr: chaque position traverse seule le même réseau
            """
            module, [x] = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments
            output = self._output(module, x)
            shaped(output, self.shape(draw))
            for n in range(x.shape[1]):
                alike(self._output(module, x[:, n : n + 1]), output[:, n : n + 1], tr("a position alone"))
            alike(self._output(module, x.flip(0, 1)), output.flip(0, 1), tr("the output for another order"))

        return self._make(treats_positions_alike_and_apart, points, own, given=self._roomy)

    def is_not_linear(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that an activation acts."""

        def is_not_linear(candidate: Candidate, draw: Given) -> None:
            """there is an activation between the layers: the network is not a linear map

            fr: il y a une activation entre les couches : le réseau n'est pas une application linéaire
            """
            module, [x] = candidate.with_random_weights(draw.seed, **draw.config), draw.arguments
            properties.is_not_linear(lambda x: self._output(module, x), x)

        return self._make(is_not_linear, points, own, given=self._roomy)

    def teaches_every_parameter(
        self,
        *,
        points: float,
        place: Callable[[Any, Tensor], int] | None = None,
        **own: Unpack[Own],
    ) -> Check:
        """A check of all gradients.

        Args:
            points: its weight.
            place: finds the index of the output in an answer, given the first argument; by default 0.
            own: what is otherwise.
        """

        def teaches_every_parameter(candidate: Candidate, draw: Given, answer: ReferenceAnswer) -> None:
            """gradients reach every parameter and the input; where the output is right, they are too

            fr: les gradients atteignent chaque paramètre et l'entrée ; là où la sortie est juste, ils le sont
            aussi
            """
            arguments = draw.arguments
            teaches(candidate, answer, lambda m: place(m(*arguments), arguments[0]) if place else 0)

        return self._make(teaches_every_parameter, points, own, answer=self._reference_answer_with_gradients)

    def drops_in_training_only(
        self,
        *,
        points: float,
        rate: str = "",
        off: bool = False,
        **own: Unpack[Own],
    ) -> Check:
        """A check of dropout, whose `given` must be so wide that dropout is certain to change the output.

        Args:
            points: its weight.
            rate: the name of the constructor's argument for the rate, if it has one; 0.5 and 0 are tried.
            off: whether there is no dropout where no rate is asked for.
            own: what is otherwise.
        """

        def drops_in_training_only(candidate: Candidate, draw: Given) -> None:
            """dropout acts in training and at no other time

            fr: le dropout agit à l'entraînement, et à aucun autre moment
            """
            if not rate:
                properties.drops_in_training(candidate.construct(**draw.config), draw.arguments)
                return
            high = draw.config.get(rate) or properties.HALF
            module = candidate.construct(**{**draw.config, rate: high})
            properties.drops_in_training(module, draw.arguments, high)
            properties.drops_nothing(
                candidate.construct(**{**draw.config, rate: 0.0}),
                draw.arguments,
                tr("the output in training with dropout=0"),
            )
            if off:
                config = {name: value for name, value in draw.config.items() if name != rate}
                says = tr("the output in training where no rate is asked for")
                properties.drops_nothing(candidate.construct(**config), draw.arguments, says)

        return self._make(drops_in_training_only, points, own, draws=6)

    def refuses_a_width_it_cannot_split(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that the constructor takes no width that the heads do not divide."""

        def refuses_a_width_it_cannot_split(candidate: Candidate, draw: Indivisible) -> None:
            """an E that H does not divide is an error at construction

            fr: un E que H ne divise pas est une erreur à la construction
            """
            properties.refuses(candidate, draw)

        return self._make(refuses_a_width_it_cannot_split, points, own, given=indivisible(), shape_only=True)

    def leaves_its_arguments_alone(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that a call changes nothing of its caller's."""

        def leaves_its_arguments_alone(candidate: Candidate, draw: Given) -> str | None:
            """the arguments keep their values, and the second call answers as the first

            fr: les arguments gardent leurs valeurs, et le second appel répond comme le premier
            """
            module = candidate.with_random_weights(draw.seed, **draw.config)
            return properties.leaves_alone(module, draw.arguments, *draw.argument_names)

        return self._make(leaves_its_arguments_alone, points, own, given=self._roomy, on_its_word=True)

    @property
    def _roomy(self) -> SearchStrategy[Any]:
        return self.draws(least=3) if self.roomy is None else self.roomy

    def _usual(self, draw: Given) -> Any:
        """A draw of usual sizes, in float32; without dropout, where the draw has none."""
        usual = variation.cast_to_single(self.options.diagnostic_draws(draw.seed)[0])
        without = {name: value for name, value in draw.config.items() if name == "dropout"}
        return replace(usual, config={**usual.config, **without})

    @property
    def _value_name(self) -> str | None:
        return self.value_name and tr(self.value_name)

    @property
    def _reference_answer(self) -> Callable[..., Any]:
        return self.answer or partial(reference_answer, activations=self.options.activations)

    @property
    def _reference_answer_with_gradients(self) -> Callable[..., Any]:
        if self.answer is not None:
            return partial(self.answer, with_gradients=True)
        return partial(reference_answer_with_gradients, activations=self.options.activations)

    def _output(self, module: Module, *arguments: Any) -> Tensor:
        return self.options.read(module(*arguments), arguments[0])

    def _answer(self, candidate: Candidate, answer: ReferenceAnswer) -> Tensor:
        """The student's output for an answer's draw, under the reference's weights."""
        return self._output(candidate.with_reference_weights(answer), *answer.draw.arguments)

    def _treat_sequences_apart(self, module: Module, draw: Given) -> Tensor:
        output = self._output(module, *draw.arguments)
        shaped(output, self.shape(draw), self._value_name)
        for n in range(len(draw.arguments[0])):
            alone = [None if a is None else a[n : n + 1] for a in draw.arguments]
            alike(self._output(module, *alone), output[n : n + 1], tr("a sequence alone"))
        return output

    def _make(self, body: Callable[..., Any], points: float, own: Own, **usual: Any) -> Check:
        if self.fit is not None and "answer" in usual:
            body = _with_fit(body, self.fit)
        return check(points=points, **{"given": self.draws(), **usual, **own})(body)


def _is_long(draw: Given) -> bool:
    return bool(draw.arguments[0].shape[1] >= LONG_FROM)


def _with_fit(body: Callable[..., Any], fit: Callable[[Candidate, Any], Any]) -> Callable[..., Any]:
    @wraps(body)
    def judge(candidate: Candidate, draw: Given, answer: Any) -> Any:
        return body(candidate, draw, fit(candidate, answer))

    return judge
