"""The attention of an exercise's code on a sentence, with the reference's weights where there is one."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.drawn_attention import DrawnAttention
from graders.check_api.reference_answer import Recipe
from graders.course.exercise import Exercise
from graders.course.reference import reference
from graders.extraction.extract import Source
from graders.heads.check_maps import NotDrawn, check_returned, check_watched, layers_of, one_layer
from graders.heads.embed import as_given
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.heads import Drawing
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession

DRAWING_S = 6.0  # own seconds for all drawings of an exercise
SEED = 1  # of random weights


def draw_exercise(
    exercise: Exercise, source: Source, tokens: tuple[str, ...], session: BoxSession, draws: Draws
) -> Iterator[Drawing]:
    """The drawings of an exercise's own code. What goes wrong is a sentence in the drawing's place."""
    assert exercise.options.drawn is not None
    # In float32 whatever the run draws in: as the sentence is.
    candidate = RemoteCandidate(session, source, partial(draws.mapping_draws, exercise))
    candidate.contract, candidate.defaults = exercise.signatures, exercise.defaults
    lost = None
    with session.within(
        DRAWING_S, tr("the time for drawings ({seconds} s) was used up", seconds=f"{DRAWING_S:g}")
    ):
        for causal in exercise.options.drawn.causal:
            drawing = Drawing(exercise.name, exercise.title, causal, tokens=tokens)
            try:
                if lost is not None:
                    raise lost
                if causal is exercise.options.drawn.causal[0]:
                    _load(candidate)
                yield _draw(drawing, exercise, candidate)
            except ProcessLost as failure:  # another try would cost the same time again
                lost = failure
                yield _failed(drawing, candidate.errors.with_place(failure))
            except (Violation, Raised, Undecidable, NotDrawn) as failure:
                yield _failed(drawing, str(failure))


def _load(candidate: RemoteCandidate) -> None:
    candidate.load()
    if candidate.problem:
        raise NotDrawn(candidate.problem)


def _draw(drawing: Drawing, exercise: Exercise, candidate: RemoteCandidate) -> Drawing:
    assert exercise.options.drawn is not None
    draw = exercise.options.drawn.draw(as_given(exercise.options.drawn, drawing.tokens), drawing.causal)
    is_module = hasattr(draw, "config")
    called, origin = _module(exercise, candidate, draw) if is_module else (candidate, "none")
    layers, notes = _weights(exercise.options.drawn, called, draw.arguments, len(drawing.tokens), candidate)
    return Drawing(
        exercise=drawing.exercise,
        title=drawing.title,
        causal=drawing.causal,
        weights_from=origin,
        tokens=drawing.tokens,
        layers=tuple(layers),
        notes=tuple(notes),
    )


def _module(exercise: Exercise, candidate: RemoteCandidate, draw: Any) -> tuple[Any, str]:
    """The module, and where its parameters come from."""
    symbol = reference(exercise.name, exercise.symbol)
    if symbol is not None:
        try:
            return candidate.with_reference_weights(
                Recipe(symbol, exercise.options.activations).answer(draw)
            ), "reference"
        except (Violation, Undecidable):  # its parameters are not the reference's: it has its own, then
            pass
    return candidate.with_random_weights(SEED, **draw.config), "random"


def _weights(
    drawn: DrawnAttention, called: Any, arguments: list[Any], length: int, candidate: RemoteCandidate
) -> Any:
    """The layers, from what the code returns where it should, or else from what it computes."""
    said = []
    if drawn.weights_at is not None:
        answer = called(*arguments)
        at = drawn.weights_at
        if isinstance(answer, tuple | list) and len(answer) > at:
            layer, notes = one_layer(check_returned(answer[at], length))
            return [layer], notes
        said = [tr("The code does not return its weights: these are what it computes.")]
    reply = candidate.ask("watch", [called.target, candidate.as_read(arguments), length])
    seen = check_watched(reply, length)
    if drawn.is_model:
        return layers_of(seen)
    # A list of heads computes them one by one.
    layer, notes = one_layer(torch.cat([weights for weights, _ in seen]))
    return [layer], said + notes


def _failed(drawing: Drawing, why: str) -> Drawing:
    return Drawing(drawing.exercise, drawing.title, drawing.causal, problem=why)
