"""The text that a trained model is measured on, and what it must beat: made once per run."""

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


def evaluation_set(rule: LossPolicy, seed: int) -> EvaluationSet | str:
    """What models are measured by; where its corpus cannot be had here, a sentence that says why."""
    try:
        return _made(rule, seed)
    except NoCorpus as error:  # not kept: it is said in the language of the moment
        return str(error)


@cache
def _made(rule: LossPolicy, seed: int) -> EvaluationSet:
    found = corpus(rule.corpus, seed)
    beaten = bigram.bits(found.train, found.held_out)
    target = rule.target(found.name, beaten, found.entropy)
    return EvaluationSet(found.name, found.train, found.held_out, beaten, target, found.entropy)


def digest(rule: LossPolicy, seed: int) -> str:
    """What is the same for two runs if and only if they measure by the same."""
    return hashlib.sha256(repr((rule, evaluation_set(rule, seed))).encode()).hexdigest()
