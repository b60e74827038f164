"""How a checks file says that the attention of its exercise can be drawn on a sentence.

A checks file whose code computes attention weights has `DRAWN`, a `DrawnAttention`. There is no other list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from graders.check_api.strategies.attention_masks import causal_mask

WIDTH, HEADS = 32, 4  # of the modules that are drawn: E and H
# Whether no token sees later ones, for each picture of an exercise.
SEES_ALL, CAUSAL, BOTH_WAYS = (False,), (True,), (False, True)


@dataclass(frozen=True)
class DrawnAttention:
    """How the attention of an exercise is drawn on a sentence.

    Attributes:
        given: makes the draw of a call from the embedded sentence (1, S, E), and a bool mask (S, S), True =
            masked, or None; None where the exercise's trained model is asked for the sentence itself.
        causal: `SEES_ALL`, `CAUSAL`, or, where the exercise takes a mask, `BOTH_WAYS`: side by side.
        weights_at: the index of the weights in the answer; None where the answer holds none: then they are
            watched in the box while the code computes them.
    """

    given: Callable[[Tensor, Tensor | None], Any] | None
    causal: tuple[bool, ...]
    weights_at: int | None = None

    def draw(self, embedded: Tensor, causal: bool) -> Any:
        """The draw of a call for one picture."""
        assert self.given is not None
        length = embedded.shape[1]
        takes_mask = len(self.causal) > 1
        return self.given(embedded, causal_mask(length) if takes_mask and causal else None)
