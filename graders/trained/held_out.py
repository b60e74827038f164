"""The text that a trained model is measured on, and the losses that it must beat: computed once per run."""

import hashlib
from dataclasses import dataclass
from functools import cache

from graders.corpora import bigram
from graders.corpora.catalogue import NoCorpus, corpus
from graders.course.loss_policy import LossPolicy


@dataclass(frozen=True)
class EvaluationSet:
    """A corpus in two parts, and losses on its held-out part, in bits per character."""

    name: str
    train: str
    held_out: str
    bigram: float
    target: float
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
    return EvaluationSet(texts.name, texts.train, texts.held_out, bigram_loss, target, texts.entropy)


def digest(rule: LossPolicy, seed: int) -> str:
    """A digest that two runs share if and only if their policy and evaluation set are the same."""
    return hashlib.sha256(repr((rule, make_evaluation_set(rule, seed))).encode()).hexdigest()
