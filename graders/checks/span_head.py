"""SpanHead(hidden_size); forward(hidden_states, attention_mask=None) -> (start_logits, end_logits).

Both are compared at once, as one tensor (B, S, 2); one check is about the form of the answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.check import Candidate, alike, check, kind, require, shaped, tensor
from graders.check_api.options import Options
from graders.check_api.properties import parts
from graders.check_api.reference_answer import (
    ReferenceAnswer,
    reference_answer,
    reference_answer_with_gradients,
)
from graders.check_api.standard_checks.module_checks import ModuleChecks
from graders.check_api.strategies.attention_masks import padding
from graders.check_api.strategies.extremes import extremes
from graders.check_api.strategies.fed import Row, fed, fixed
from graders.check_api.strategies.module_inputs import MASKED, States
from graders.check_api.strategies.tensors import normal, patterns, sizes
from graders.check_api.usual_sizes import model_width
from graders.language import tr

SIZES = {"hidden_size": 6}
NAMES = ("start_logits", "end_logits")
LOW = -1e4  # what a logit at padding is at most, or what is added to it
NEARLY = 0.99  # of what is added: rounding of float32 takes some of it
LARGE = 1e3  # of an input whose scores are large


@dataclass(frozen=True, eq=False)
class Read(States):
    """Hidden states and a mask (B, S), 1 = kept; only what is kept is compared."""

    @property
    def kept(self) -> Tensor | None:
        """All positions but padding."""
        return None if self.attention_mask is None else self.attention_mask.bool()

    def normalise(self, answer: Any) -> Any:
        """What is as low as it may be counts as -inf, and -inf as a number that can be compared."""
        if isinstance(answer, tuple | list):
            return [self.normalise(part) for part in answer]
        if isinstance(answer, Tensor) and answer.is_floating_point():
            return answer.masked_fill(answer <= LOW, LOW)
        return answer


def stack(answer: Any, hidden_states: Tensor) -> Tensor:
    """Both as one tensor (B, S, 2), also where they come as one, by name, or with an axis of size 1 more.

    A loss beside them, or None in its place, does not count.
    """
    places = places_of_both(answer)
    if len(places) == 2:
        both = [tensor(parts(answer)[place]) for place in places]
        both = [part[..., 0] if part.dim() == 3 and part.shape[-1] == 1 else part for part in both]
        for part, name in zip(both, NAMES, strict=True):
            shaped(part, tuple(hidden_states.shape[:2]), name)
        return torch.stack(both, -1)
    whole = tensor(answer)
    shaped(whole, (*hidden_states.shape[:2], 2))
    return whole


def places_of_both(answer: Any) -> list[int]:
    """The places of the starts and of the ends among the parts of an answer; of all others where none is."""
    if isinstance(answer, Tensor):
        return []
    values = parts(answer)
    if isinstance(answer, dict):
        by_name = [
            [place for place, value in enumerate(values) if any(value is answer[n] for n in names)]
            for names in ([n for n in answer if word in n.lower()] for word in ("start", "end"))
        ]
        if all(len(places) == 1 for places in by_name):
            return [place for places in by_name for place in places]
    return [n for n, value in enumerate(values) if not (value is None or _is_number(value))]


def _is_number(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dim() == 0


def give_both_at_once(head: Any) -> None:
    """Change the reference in place: it answers with one tensor (B, S, 2)."""
    head.stacked = True


def answer_of_both(draw: Read, reference: Any, with_gradients: bool = False) -> ReferenceAnswer:
    """The reference's answer as one tensor."""
    compute: Callable[..., ReferenceAnswer] = (
        reference_answer_with_gradients if with_gradients else reference_answer
    )
    return compute(draw, reference, adapt=give_both_at_once)


options = Options(
    read=stack,
    sizes=(model_width("hidden_size", "has_two_layers_with_bias", "hidden_states"),),
    diagnostic_draws=fixed(
        Read,
        "hidden_size",
        SIZES,
        Row(3, 5),
        Row(3, 5, mask=padding),
        Row(3, 7, mask=padding),
        Row(2, 7, scale=0.05),
        Row(4, 3, {"hidden_size": 5}),
        Row(2, 4, {"hidden_size": 8}, scale=30.0),
    ),
)
heads = fed(Read, hidden_size=sizes(3, 6))


@st.composite
def padded(draw: st.DrawFn) -> Read:
    """The same with padding."""
    drawn: Read = draw(heads(least=MASKED))
    batch, length = drawn.hidden_states.shape[:2]
    return replace(drawn, attention_mask=padding(batch, length, draw(patterns())))


def expected_shape(draw: Read) -> tuple[int, ...]:
    """(B, S, 2)."""
    return *draw.hidden_states.shape[:2], 2


head = ModuleChecks(heads, options, roomy=heads(least=3), shape=expected_shape, answer=answer_of_both)


@check(points=1.5, given=heads(), shape_only=True)
def answers_with_start_and_end(candidate: Candidate, draw: Read) -> None:
    """the answer is (start_logits, end_logits), two tensors of shape (B, S)

    fr: la réponse est (start_logits, end_logits), deux tenseurs de forme (B, S)
    """
    answer = candidate.construct(**draw.config)(*draw.arguments)
    pair = isinstance(answer, tuple | list) and len(answer) == 2
    found = tr("one tensor") if isinstance(answer, Tensor) else kind(answer)
    require(pair, tr("the answer should be the pair (start_logits, end_logits), but is {kind}", kind=found))
    for part, name in zip(answer, NAMES, strict=True):
        shaped(tensor(part, name), tuple(draw.hidden_states.shape[:2]), name)


has_two_layers_with_bias = head.has_parameters(
    lambda config: 2 * config["hidden_size"] + 2,
    points=1,
    says="""two linear layers with bias from E to 1, or one from E to 2: 2 E + 2 parameters

    fr: deux couches linéaires avec biais de E vers 1, ou une de E vers 2 : 2 E + 2 paramètres
    """,
)
computes_what_the_reference_computes = head.computes_what_the_reference_computes(
    points=8,
    says="""under the same weights, both logits are the reference's, each from a layer of its own

    fr: avec les mêmes poids, les deux logits sont ceux de la référence, chacun d'une couche à lui
    """,
)


@check(points=4, given=padded())
def hides_padding(candidate: Candidate, draw: Read) -> None:
    """at padding both logits are -inf or as low as that, and elsewhere the mask changes nothing

    fr: au remplissage, les deux logits valent -inf ou presque, et ailleurs le masque ne change rien
    """
    assert draw.attention_mask is not None
    module, kept = candidate.with_random_weights(draw.seed, **draw.config), draw.attention_mask.bool()
    for x in (draw.hidden_states, LARGE * draw.hidden_states):
        plain, logits = stack(module(x), x).detach(), stack(module(x, draw.attention_mask), x).detach()
        alike(logits[kept], plain[kept], tr("the logits where nothing is hidden"))
        for column, name in enumerate(NAMES):
            hidden, before = logits[..., column][~kept], plain[..., column][~kept]
            shown = hidden[(hidden > LOW) & (hidden > before + NEARLY * LOW)]  # much code adds -1e4
            message = tr(
                "at padding {name} should be -inf, but is {found}",
                name=name,
                found=round(float(hidden.max()), 2),
            )
            require(not len(shown), message)


@check(points=2, given=heads(least=3))
def treats_positions_alike_and_apart(candidate: Candidate, draw: Read) -> None:
    """every position is scored by itself, by the same layer

    fr: chaque position reçoit ses scores à part, de la même couche
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    logits = stack(module(x), x)
    for n in range(x.shape[1]):
        alone = x[:, n : n + 1]
        alike(stack(module(alone), alone), logits[:, n : n + 1], tr("a position alone"))
    alike(stack(module(x.flip(0, 1)), x), logits.flip(0, 1), tr("the output for another order"))


answers_extreme_sizes = head.answers_extreme_sizes(
    extremes(partial(fixed, Read, "hidden_size", SIZES), "hidden_size", SIZES), points=1
)
computes_in_double_precision = head.computes_in_double_precision(points=1)
answers_the_smallest_sizes = head.answers_the_smallest_sizes("length", "hidden_size", points=1)


@check(points=2, given=heads())
def teaches_every_parameter(candidate: Candidate, draw: Read) -> None:
    """gradients of both logits reach every parameter and the input

    fr: les gradients des deux logits atteignent chaque paramètre et l'entrée
    """
    module, x = candidate.with_random_weights(draw.seed, **draw.config), draw.hidden_states
    answer = module(x)
    shape = stack(answer, x).shape
    due = [normal(*shape[:2], seed=draw.seed + n, dtype=x.dtype) for n in range(2)]
    upstream: list[Tensor | None] = [torch.stack(due, -1)]
    if not isinstance(answer, Tensor):
        upstream = [None] * len(parts(answer))
        for place, each in zip(places_of_both(answer), due, strict=True):
            upstream[place] = each.reshape(tensor(parts(answer)[place]).shape)
    call = module.gradients(x, upstream=upstream)
    for name, gradient in {
        "hidden_states": call.inputs[0] if call.inputs else None,
        **call.parameters,
    }.items():
        there = gradient is not None and bool((gradient != 0).any())
        require(there, tr("no gradient reaches {name}: is something detached or never used?", name=name))


leaves_its_arguments_alone = head.leaves_its_arguments_alone(points=1)
