"""Measure a trained model, from its checkpoint to its loss, without trusting anything that its code reports.

The student's `encode` turns the text into ids, and `decode` proves that the ids stand for the text; `encode`,
`decode` and the model each run in their own process. The host counts the characters, computes the
probabilities from the logits, and sums up the loss.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from graders.check_api.criterion import ModelFacts
from graders.language import tr
from graders.results.result import Outcome
from graders.sandbox.process_lost import ProcessLost
from graders.trained.checkpoint import TrainedModel, open_checkpoint
from graders.trained.fresh_process import MeasurementStopped, Parts, Processes
from graders.trained.held_out import EvaluationSet
from graders.trained.loss_measurement import LossMeasurement, Text
from graders.trained.next_token import build_model
from graders.trained.open_checkpoint import BadCheckpoint
from graders.trained.sample_sizes import SampleSizes, choose_passages, choose_sample_sizes
from graders.trained.tokenizer import Tokenizer, describe_difference

STAND_IN = 4_000  # characters in the place of a corpus that is not available


def measure(
    processes: Processes, parts: Parts, evaluation_set: EvaluationSet | str, seed: int
) -> Iterator[ModelFacts]:
    """Yield the facts that are known after each `Stage`, in order.

    Args:
        processes: that run the student's code.
        parts: what was handed in.
        evaluation_set: the text and the losses to beat, or the reason why there is no text. Then the model is
            not measured, and the other stages are reached with characters drawn at random.
        seed: determines the passages and places that are measured.

    Raises:
        MeasurementStopped: the measurement cannot go on.
    """
    trained_model = open_parts(processes, parts)
    with build_model(processes, parts, trained_model):
        facts = ModelFacts(trained_model.facts())
    yield facts
    if isinstance(evaluation_set, str):
        yield from _look_ahead(processes, parts, trained_model, facts, seed)
        message = tr("not measured, since there is no corpus: {reason}", reason=evaluation_set)
        raise MeasurementStopped(Outcome.SKIPPED, message)
    trained = replace(
        facts.trained,
        corpus=evaluation_set.name,
        bigram=evaluation_set.bigram,
        target=evaluation_set.target,
        entropy=evaluation_set.entropy,
    )
    sizes = choose_sample_sizes(trained.parameters, trained_model.block_size, trained_model.vocab_size)
    tokenizer = Tokenizer(processes, parts, trained_model)
    text = _encode(
        tokenizer=tokenizer,
        held_out_text=evaluation_set.held_out,
        train_text=evaluation_set.train,
        sizes=sizes,
        block_size=trained_model.block_size,
        seed=seed,
    )
    difference = describe_difference(text.held_out, tokenizer.decode(text.held_out_ids))
    facts = ModelFacts(trained, difference, tuple(dict.fromkeys(tokenizer.notes)))
    yield facts
    measurement = LossMeasurement(
        processes=processes, parts=parts, trained_model=trained_model, text=text, sizes=sizes, seed=seed
    )
    yield from measurement.run(facts, tokenizer, evaluation_set)


def _look_ahead(
    processes: Processes, parts: Parts, trained_model: TrainedModel, facts: ModelFacts, seed: int
) -> Iterator[ModelFacts]:
    """The facts that need a text and no corpus; none if no token is a character."""
    characters = [token for token in trained_model.chars if len(token) == 1]
    if not characters:
        return
    drawn = "".join(random.Random(seed).choices(characters, k=STAND_IN))  # noqa: S311 - no secret
    block_size, vocab_size = trained_model.block_size, trained_model.vocab_size
    sizes = choose_sample_sizes(facts.trained.parameters, block_size, vocab_size)
    tokenizer = Tokenizer(processes, parts, trained_model)
    text = _encode(
        tokenizer=tokenizer,
        held_out_text=drawn,
        train_text=drawn,
        sizes=sizes,
        block_size=block_size,
        seed=seed,
    )
    difference = describe_difference(text.held_out, tokenizer.decode(text.held_out_ids))
    facts = replace(facts, garbled=difference, notes=tuple(dict.fromkeys(tokenizer.notes)))
    yield facts
    unlike = LossMeasurement(
        processes=processes, parts=parts, trained_model=trained_model, text=text, sizes=sizes, seed=seed
    ).look_ahead()
    yield replace(facts, unlike=unlike)


def open_parts(processes: Processes, parts: Parts) -> TrainedModel:
    """Open the checkpoint in a process of its own.

    Raises:
        MeasurementStopped: it cannot be opened, or its contents are no trained model's.
    """
    try:
        with processes.session() as session:
            return open_checkpoint(session, parts.checkpoint)
    except BadCheckpoint as bad:
        raise MeasurementStopped(Outcome.FAILED, str(bad)) from bad
    except ProcessLost as lost:
        message = tr("{name}: {lost}", name=parts.checkpoint.name, lost=lost)
        raise MeasurementStopped(lost.outcome, message, staff=lost.staff, limit=lost.limit) from lost


def _encode(
    tokenizer: Tokenizer, held_out_text: str, train_text: str, sizes: SampleSizes, block_size: int, seed: int
) -> Text:
    held_out = choose_passages(held_out_text, sizes.held_out, block_size, seed)
    train = choose_passages(train_text, sizes.train, block_size, seed)
    ids = tokenizer.encode([*held_out, *train])
    return Text(held_out, train, ids[: len(held_out)], ids[len(held_out) :])
