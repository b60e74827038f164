"""The text that a trained model is measured on, and the losses that it must beat: computed once per run."""

import hashlib
import math
from dataclasses import dataclass
from functools import cache

from graders.corpora import repeats
from graders.corpora.catalogue import NAMES, NoCorpus, corpus
from graders.course.loss_policy import LossPolicy

# What a loss may lie below the entropy: the loss of the grammar's own probabilities on n characters varies by
# 1 / sqrt(n) of it, one standard deviation.
BELOW_ENTROPY, DEVIATIONS = 0.05, 6
# A loss below this share of what counting needs is doubted. The best mixture of counts of up to 11 characters
# needs 0.92 of it on `french`, and 0.57 if it were told for each character which count is best.
OF_COUNTING = 0.5


@dataclass(frozen=True, kw_only=True)
class EvaluationSet:
    """A corpus in two parts, and losses on its held-out part, in bits per character.

    `counting` is what a model needs that only counts and copies, where no entropy is known.
    """

    name: str
    train: str
    held_out: str
    bigram: float
    target: float
    counting: float | None
    entropy: float | None

    def least_on(self, characters: float) -> float:
        """A loss below this on so many characters is doubted: the model may know the text by heart."""
        if self.entropy is None:
            assert self.counting is not None
            return OF_COUNTING * self.counting
        return self.entropy * max(0.0, 1 - max(BELOW_ENTROPY, DEVIATIONS / math.sqrt(characters)))


def make_evaluation_set(rule: LossPolicy, seed: int) -> EvaluationSet | str:
    """The evaluation set of a policy; where its corpus is not available, a sentence with the reason."""
    try:
        return _make(rule, seed)
    except NoCorpus as error:  # not cached: the language of the sentence may change
        return str(error)


@cache
def _make(rule: LossPolicy, seed: int) -> EvaluationSet:
    from graders.corpora import bigram, ngram  # here: they import NumPy and PyTorch

    texts = corpus(rule.corpus, seed)
    bigram_loss = bigram.bits(texts.train, texts.held_out)
    target = rule.target(texts.name, bigram_loss, texts.entropy)
    counting = None
    if texts.entropy is None:
        counting = ngram.bits(texts.train, texts.held_out)
        if rule.corpus not in NAMES:  # a file may repeat itself in any way
            counting = min(counting, repeats.bits(texts.train, texts.held_out))
    return EvaluationSet(
        name=texts.name,
        train=texts.train,
        held_out=texts.held_out,
        bigram=bigram_loss,
        target=target,
        counting=counting,
        entropy=texts.entropy,
    )


def digest(rule: LossPolicy, seed: int) -> str:
    """A digest that two runs share if and only if their policy and evaluation set are the same."""
    return hashlib.sha256(repr((rule, make_evaluation_set(rule, seed))).encode()).hexdigest()
