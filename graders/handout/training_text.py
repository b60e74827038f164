"""The text that students train a model on, and the losses that they are told, from what grades them."""

import math
from collections.abc import Mapping
from typing import Any

from graders.corpora.ngram import ORDER
from graders.course.exercise import Assignment
from graders.course.loss_policy import LossPolicy
from graders.handout.refused import HandoutRefused
from graders.language import tr
from graders.trained.held_out import EvaluationSet, make_evaluation_set

NAME = "train.txt"  # the file that the training cell reads
SEED = 1  # that of `softmark check`; it generates the held-out text of a grammar, and no text to train on


def training_text(assignment: Assignment) -> str | None:
    """The text to train on; None where an assignment asks for no trained model.

    Raises:
        HandoutRefused: the corpus is not available.
    """
    rules = [exercise.rule for exercise in assignment.exercises if exercise.rule is not None]
    return _evaluation_set(rules[0]).train if rules else None


def figures_of(rule: LossPolicy) -> Mapping[str, Any]:
    """What the cells of a trained model tell: losses in bits per character, and the minutes that it takes.

    Raises:
        HandoutRefused: the corpus is not available.
    """
    texts = _evaluation_set(rule)
    characters = len(set(texts.train))
    return {
        "characters": characters,
        "guess": math.log2(characters),
        "bigram": texts.bigram,
        "target": texts.target,
        "entropy": texts.entropy,
        "counting": texts.counting,
        "order": ORDER,
        "minutes": dict(rule.minutes).get(texts.name),
    }


def _evaluation_set(rule: LossPolicy) -> EvaluationSet:
    texts = make_evaluation_set(rule, SEED)
    if isinstance(texts, str):
        raise HandoutRefused(tr("the text to train on is not available: {reason}", reason=texts))
    return texts
