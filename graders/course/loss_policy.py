"""What a trained model is measured against, read from `assignments/course.toml`: a corpus and a target."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class LossPolicy:
    """A corpus, and the loss for which there are full points, in bits per character.

    The target is the corpus's entry in `targets`; without one, `of_entropy` times its entropy where that is
    known; otherwise `of_bigram` times the bigram's loss. `minutes` tells by corpus how long the
    handed-out training takes at most to reach the target.
    """

    corpus: str
    targets: tuple[tuple[str, float], ...] = ()
    of_entropy: float = 1.05
    of_bigram: float = 0.8
    minutes: tuple[tuple[str, float], ...] = ()

    def on(self, corpus: str | None) -> "LossPolicy":
        """The policy on another corpus, if one is named."""
        return self if corpus is None else replace(self, corpus=corpus)

    def target(self, name: str, bigram: float, entropy: float | None) -> float:
        """The loss for full points on a corpus."""
        targets = dict(self.targets)
        if name in targets:
            return targets[name]
        return self.of_bigram * bigram if entropy is None else self.of_entropy * entropy


def loss_policy_of(table: Mapping[str, Any]) -> LossPolicy:
    """Read the table `trained` of an assignment in course.toml."""
    targets, minutes = (
        tuple(sorted((str(name), float(value)) for name, value in table.get(by_corpus, {}).items()))
        for by_corpus in ("targets", "minutes")
    )
    numbers = {name: float(table[name]) for name in ("of_entropy", "of_bigram") if name in table}
    return LossPolicy(str(table["corpus"]), targets, minutes=minutes, **numbers)
