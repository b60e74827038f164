"""The text that a trained model is measured on, and the losses that it must beat: computed once per run."""

import hashlib
from dataclasses import dataclass
from functools import cache

from graders.corpora import bigram, ngram
from graders.corpora.catalogue import NoCorpus, corpus
from graders.course.loss_policy import LossPolicy

# A loss below these shares is doubted. On 24,000 characters the best loss is within 1% of the entropy; the
# best published models of books and encyclopedias need more than six tenths of what counting needs.
OF_ENTROPY, OF_COUNTING = 0.95, 0.5


@dataclass(frozen=True)
class EvaluationSet:
    """A corpus in two parts, and losses on its held-out part, in bits per character.

    A loss below `least` is doubted: the model may know the held-out text by heart.
    """

    name: str
    train: str
    held_out: str
    bigram: float
    target: float
    least: float
    entropy: float | None


def make_evaluation_set(rule: LossPolicy, seed: int) -> EvaluationSet | str:
    """The evaluation set of a policy; where its corpus is not available, a sentence with the reason."""
    try:
        return _make(rule, seed)
    except NoCorpus as error:  # not cached: the language of the sentence may change
        return str(error)


@cache
def _make(rule: LossPolicy, seed: int) -> EvaluationSet:
    texts = corpus(rule.corpus, seed)
    bigram_loss = bigram.bits(texts.train, texts.held_out)
    target = rule.target(texts.name, bigram_loss, texts.entropy)
    if texts.entropy is None:
        least = OF_COUNTING * ngram.bits(texts.train, texts.held_out)
    else:
        least = OF_ENTROPY * texts.entropy
    return EvaluationSet(texts.name, texts.train, texts.held_out, bigram_loss, target, least, texts.entropy)


def digest(rule: LossPolicy, seed: int) -> str:
    """A digest that two runs share if and only if their policy and evaluation set are the same."""
    return hashlib.sha256(repr((rule, make_evaluation_set(rule, seed))).encode()).hexdigest()
