"""How a checks file says that the attention of its exercise can be drawn on a sentence.

A checks file whose code computes attention weights has a `DrawnAttention` as `drawn` of its `Options`.
There is no other list.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from graders.check_api.strategies.attention_masks import causal_mask

WIDTH, HEADS, LAYERS = 32, 4, 2  # of the modules that are drawn: E, H, and how many layers a model has
WORDS = 65  # V, of the models that are drawn: a sentence has at most 64 tokens, and 0 is none of them
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
        is_model: whether it is a whole model: `given` gets the sentence as ids (1, S) instead, from 1 and the
            same for equal words, and the layers are drawn one after another.
    """

    given: Callable[[Tensor, Tensor | None], Any] | None
    causal: tuple[bool, ...]
    weights_at: int | None = None
    is_model: bool = False

    def draw(self, sentence: Tensor, causal: bool) -> Any:
        """The draw of a call for one picture, of the embedded sentence or of its ids."""
        assert self.given is not None
        length = sentence.shape[1]
        takes_mask = len(self.causal) > 1
        return self.given(sentence, causal_mask(length) if takes_mask and causal else None)


def sizes_of_model(ids: Tensor, **more: int) -> dict[str, int]:
    """The configuration of a whole model that is drawn on these ids, with `more` sizes."""
    return {
        "vocab_size": WORDS,
        "hidden_size": WIDTH,
        "num_heads": HEADS,
        "num_layers": LAYERS,
        "intermediate_size": 2 * WIDTH,
        "max_position_embeddings": ids.shape[1],
        **more,
    }
