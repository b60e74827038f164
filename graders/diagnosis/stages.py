"""Stages: draws on which few mistakes show at once, those on which more show after them.

With some of a module's weights at zero, some of its parts do nothing: without W_q all scores are equal,
and without W_o a block's attention adds nothing. What is wrong elsewhere is then found before all is seen
together. Mistakes in the mask come last: without a mask they change nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from graders.check_api.candidate import Candidate, Raised
from graders.check_api.strategies.module_inputs import MASKS
from graders.diagnosis.fingerprint import AnswerTensors, answer_to, is_behaviour_trial

SCORES = ("W_q", "query")  # without them, all scores are equal
ATTENTION = ("W_o", "out")  # without them, the attention adds nothing
NETWORK = ("linear2", "fc2")  # without them, the feed-forward network adds nothing
UNMASKED = 5  # draws without a mask


@dataclass(frozen=True)
class Stage:
    """A draw, and the reference's parameters that are zero in it.

    Attributes:
        draw: a diagnostic draw, with its mask or without one.
        silenced: the names of these parameters.
        masked: whether it has a mask.
    """

    draw: Any
    silenced: frozenset[str] = frozenset()
    masked: bool = False

    @property
    def has_attention_alone(self) -> bool:
        """Whether a block adds what its attention gives, with all scores, and nothing of its network."""
        return bool(self.silenced) and not _of_layers(dict.fromkeys(self.silenced), (*SCORES, *ATTENTION))


def stages_of(draws: Sequence[Any], shapes: Mapping[str, tuple[int, ...]]) -> list[Stage]:
    """The stages of an exercise, in their order.

    Args:
        draws: its diagnostic draws.
        shapes: those of the reference's parameters in the configuration of the first draw; {} for a function.
    """
    draws = [draw for draw in draws if not is_behaviour_trial(draw)]
    plain = _without_masks(draws)
    scores, attention, network = (_of_layers(shapes, layers) for layers in (SCORES, ATTENTION, NETWORK))
    silenced: list[frozenset[str]] = []
    if attention and network:
        silenced = [attention | network, network | scores, network, attention]
    elif scores:
        silenced = [scores]
    first = [Stage(plain[0], names) for names in silenced] if plain else []
    masked = [Stage(draw, masked=True) for draw in draws if _is_masked(draw)]
    return [*first, *(Stage(draw) for draw in plain[:UNMASKED]), *masked]


def answer_in(candidate: Candidate, stage: Stage, reference: Any) -> AnswerTensors:
    """A candidate's answer in a stage; without values where it raises."""
    try:
        return answer_to(candidate, stage.draw, reference, stage.silenced)
    except Raised:
        return AnswerTensors()


def _without_masks(draws: Sequence[Any]) -> list[Any]:
    """The draws without their masks: first those that never had one."""
    had_none = [draw for draw in draws if not _is_masked(draw)]
    had_one = [_without_mask(draw) for draw in draws if _is_masked(draw)]
    return [*had_none[:1], *had_one[:2], *had_none[1:]]


def _is_masked(draw: Any) -> bool:
    return any(getattr(draw, name, None) is not None for name in MASKS)


def _without_mask(draw: Any) -> Any:
    return replace(draw, **{field.name: None for field in fields(draw) if field.name in MASKS})


def _of_layers(shapes: Mapping[str, object], layers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name for name in shapes if name.split(".")[-2:-1] and name.split(".")[-2] in layers)
