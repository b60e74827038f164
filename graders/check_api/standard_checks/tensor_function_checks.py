"""The checks that a function of tensors has, each made by a call.

    rows = ShapedBy(Rows, x="B S E")
    softmax = TensorFunctionChecks(rows, output="B S E")

    keeps_the_shape = softmax.keeps_the_shape(points=1)
    computes_what_the_reference_computes = softmax.computes_what_the_reference_computes(points=6)

The variable's name is the check's name. `says` is its line in the report, if the exercise has its own.
An exercise's own checks stand beside them as functions.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Unpack

import torch
from torch import Tensor

from graders.check_api import properties
from graders.check_api.candidate import Candidate
from graders.check_api.check import Check, Stretched, check
from graders.check_api.compare import agree, alike, is_near, require, shaped, tensor
from graders.check_api.standard_checks import function_checks
from graders.check_api.standard_checks.function_checks import MORE_ROUNDINGS
from graders.check_api.standard_checks.module_checks import Own
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.lengths import EXTREME, SMALLEST
from graders.check_api.strategies.shaped_by import ShapedBy
from graders.check_api.strategies.tensors import normal
from graders.check_api.target import Target, targets
from graders.language import tr

Reference = Callable[..., Any]


@dataclass(frozen=True)
class TensorFunctionChecks:
    """What the checks of one function have in common.

    Attributes:
        draws: of its arguments.
        output: the letters of the output's axes.
        shape: the shape of the output for a draw, where letters of the arguments do not say it.
    """

    draws: ShapedBy[Any]
    output: str
    shape: Callable[[Any], tuple[int, ...]] | None = None

    def keeps_the_shape(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that one tensor of the right shape comes back."""

        def keeps_the_shape(candidate: Candidate, draw: Drawn) -> None:
            """one tensor of the right shape comes back

            fr: un seul tenseur revient, de la bonne forme
            """
            self._output(candidate, draw)

        kept = "every wrong shape fails other checks too; here it is said to be one"
        return self._make(keeps_the_shape, points, own, shape_only=True, kept_because=kept)

    def computes_what_the_reference_computes(self, *, points: float, **own: Unpack[Own]) -> Check:
        """The core: the reference's output."""

        def computes_what_the_reference_computes(candidate: Candidate, draw: Drawn, due: Target) -> None:
            """the output is the reference's

            fr: la sortie est celle de la référence
            """
            agree(candidate(*draw.arguments), due)

        return self._make(computes_what_the_reference_computes, points, own, answer=self.due, core=True)

    def computes_in_double_precision(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the output in float64, where that in float32 is right."""
        kept = "code that gives float32 back fails here alone"
        own = {"given": self.draws(dtype=torch.float64), "kept_because": kept, **own}
        return function_checks.computes_in_double_precision(
            points=points, answer=self.due, output_of=self.output_of, **own
        )

    def passes_gradients_back(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check of the gradients of all arguments that are tensors, where the output is right."""
        own = {"given": self.draws(), **own}
        return function_checks.passes_gradients_back(
            points=points,
            answer=self._due_with_gradients,
            upstream=lambda draw: normal(*self._shape_due(draw), seed=1, dtype=self._dtype(draw)),
            names=[*self.draws.axes],
            **own,
        )

    def treats_apart(self, letter: str, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that each place along an axis is answered as if it were alone.

        Args:
            letter: that of the axis, in the arguments and in the output.
            points: its weight.
            own: what is otherwise.
        """
        place = self.output.split().index(letter)

        def treats_apart(candidate: Candidate, draw: Drawn) -> None:
            """each sequence is answered as if it were alone

            fr: chaque séquence reçoit la même réponse que seule
            """
            output = self.output_of(candidate, draw)
            for number in range(output.shape[place]):
                alone = candidate(*self._at(draw, letter, number).arguments)
                says = tr("the place {number} of {letter} alone", number=number, letter=letter)
                alike(alone, output.narrow(place, number, 1), says)

        return self._make(treats_apart, points, own)

    def answers_the_smallest_sizes(self, *letters: str, points: float, **own: Unpack[Own]) -> Check:
        """A check of sizes of 1, which no other check has; code that is wrong otherwise has to answer."""

        def answers_the_smallest_sizes(candidate: Candidate, draw: Drawn, answers: Any) -> None:
            """the smallest sizes, such as one position, are answered as larger ones are

            fr: les plus petites tailles, une position par exemple, sont traitées comme de plus grandes
            """
            self._agree_as_usual(candidate, draw, answers)

        return self._make(
            answers_the_smallest_sizes,
            points,
            own,
            given=[self.draws(corner=letter) for letter in letters],
            answer=self._due_and_usual,
            draws=2 * len(letters),
            kept_because=SMALLEST,
        )

    def answers_extreme_sizes(self, *letters: str, points: float, **own: Unpack[Own]) -> Check:
        """A check of sizes that are large, where the output for usual ones is right."""

        def answers_extreme_sizes(candidate: Candidate, draw: Drawn, answers: Any) -> None:
            """large sizes are answered as others are

            fr: de grandes tailles reçoivent la même réponse que les autres
            """
            self._agree_as_usual(candidate, draw, answers)

        return self._make(
            answers_extreme_sizes,
            points,
            own,
            given=None,
            answer=self._due_and_usual,
            stretched=[Stretched(partial(self.draws.stretched, letter)) for letter in letters],
            kept_because=EXTREME,
        )

    def leaves_its_arguments_alone(self, *, points: float, **own: Unpack[Own]) -> Check:
        """A check that a call changes nothing of its caller's."""

        def leaves_its_arguments_alone(candidate: Candidate, draw: Drawn) -> str | None:
            """the arguments keep their values, and the second call answers as the first

            fr: les arguments gardent leurs valeurs, et le second appel répond comme le premier
            """
            self._require_work(candidate)
            return properties.leaves_alone(candidate, draw.arguments, *draw.argument_names)

        return self._make(leaves_its_arguments_alone, points, own, on_its_word=True)

    def output_of(self, candidate: Candidate, draw: Any) -> Tensor:
        """The output for a draw, of its shape, of code that computes something."""
        self._require_work(candidate)
        return self._output(candidate, draw)

    def due(self, draw: Any, reference: Reference) -> Target:
        """The reference's output for a draw, with the tolerance that its rounding asks for.

        Args:
            draw: the arguments.
            reference: the reference's function.
        """
        compute, values = self._call(draw, reference)
        return targets(lambda *given: (compute(*given),), values)[0]

    def _output(self, candidate: Candidate, draw: Any) -> Tensor:
        """The output for a draw, which must have its shape."""
        output = tensor(candidate(*draw.arguments))
        shaped(output, self._shape_due(draw))
        return output

    def _require_work(self, candidate: Candidate) -> None:
        """Require that usual arguments give an output that depends on them and is none of them.

        Code that computes nothing has most properties. At sizes of 1 a right output may depend on nothing.
        """
        given, others = (self.draws.usual(seed) for seed in (1, 2))
        output = self._output(candidate, given)
        message = tr("the output is the same for other arguments")
        require(not torch.equal(output, self._output(candidate, others)), message)
        same = [name for name in self.draws.axes if torch.equal(getattr(given, name), output)]
        require(not same, tr("the output is {name} as it came", name="".join(same[:1])))

    def _shape_due(self, draw: Any) -> tuple[int, ...]:
        if self.shape is not None:
            return self.shape(draw)
        lengths = {
            letter: length
            for name, axes in self.draws.axes.items()
            for letter, length in zip(axes, getattr(draw, name).shape, strict=True)
        }
        return tuple(lengths[letter] for letter in self.output.split())

    def _dtype(self, draw: Any) -> torch.dtype:
        dtype: torch.dtype = getattr(draw, next(iter(self.draws.axes))).dtype
        return dtype

    def _at(self, draw: Any, letter: str, number: int) -> Any:
        """The draw with one place alone along an axis, in all arguments that have it."""
        narrowed = {
            name: getattr(draw, name).narrow(axes.index(letter), number, 1)
            for name, axes in self.draws.axes.items()
            if letter in axes
        }
        return replace(draw, **narrowed)

    def _call(self, draw: Any, reference: Reference) -> tuple[Callable[..., Tensor], list[Tensor]]:
        """The reference as a function of the tensors of a draw, and these."""
        names = [*self.draws.axes]

        def compute(*values: Tensor) -> Tensor:
            filled = replace(draw, **dict(zip(names, values, strict=True)))
            output: Tensor = reference(*filled.arguments)
            return output

        return compute, [getattr(draw, name) for name in names]

    def _due_with_gradients(self, draw: Any, reference: Reference) -> tuple[Target, ...]:
        """The reference's output, and the gradients of its sum with `upstream` for the tensors."""
        compute, values = self._call(draw, reference)

        def differentiate(*given: Tensor) -> list[Tensor]:
            leaves = [value.clone().requires_grad_() for value in given]
            output = compute(*leaves)
            upstream = normal(*output.shape, seed=1, dtype=self._dtype(draw)).to(output.dtype)
            return list(torch.autograd.grad((output * upstream).sum(), leaves))

        return self.due(draw, reference), *targets(differentiate, values, one_scale=True)

    def _due_and_usual(self, draw: Any, reference: Reference) -> tuple[Target, Any, Target]:
        usual = self.draws.usual(1)
        return self.due(draw, reference), usual, self.due(usual, reference)

    def _agree_as_usual(self, candidate: Candidate, draw: Any, answers: tuple[Target, Any, Target]) -> None:
        """Require the output that is due where that for usual sizes is right; else the same one twice."""
        due, usual, of_usual = answers
        output = self._output(candidate, draw)
        if is_near(tensor(candidate(*usual.arguments)), of_usual):
            agree(output, Target(due.exact, MORE_ROUNDINGS * due.tolerance))
        else:
            alike(self._output(candidate, draw), output, tr("the output of the second call"))
            self._require_work(candidate)

    def _make(self, body: Callable[..., Any], points: float, own: Own, **usual: Any) -> Check:
        return check(points=points, **{"given": self.draws(), **usual, **own})(body)
