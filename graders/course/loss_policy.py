"""What a trained model is measured against, as `assignments/course.toml` says it: a corpus and its target."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class LossPolicy:
    """A corpus, and the loss for which there are full points, in bits per character.

    That is the corpus's own in `targets`; else so many times its entropy where that is known; else so many
    times the bigram's loss.
    """

    corpus: str
    targets: tuple[tuple[str, float], ...] = ()
    of_entropy: float = 1.05
    of_bigram: float = 0.8

    def on(self, corpus: str | None) -> "LossPolicy":
        """The same on another corpus, if one is named."""
        return self if corpus is None else replace(self, corpus=corpus)

    def target(self, name: str, bigram: float, entropy: float | None) -> float:
        """The loss for full points on a corpus."""
        known = dict(self.targets)
        if name in known:
            return known[name]
        return self.of_bigram * bigram if entropy is None else self.of_entropy * entropy


def loss_policy_of(table: Mapping[str, Any]) -> LossPolicy:
    """The rule that a table of course.toml states."""
    targets = {str(name): float(bits) for name, bits in table.get("targets", {}).items()}
    numbers = {name: float(table[name]) for name in ("of_entropy", "of_bigram") if name in table}
    return LossPolicy(str(table["corpus"]), tuple(sorted(targets.items())), **numbers)
