"""The attention of a submission's trained model on the sentence, in tokens of the model's own."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.course.exercise import Exercise
from graders.extraction.extract import Missing, Source
from graders.heads.check_maps import NotDrawn, check_watched, layers_of
from graders.heads.request import MOST
from graders.language import tr
from graders.results.heads import Drawing
from graders.sandbox.box import Box
from graders.sandbox.own_time import TimeBudget
from graders.sandbox.process_lost import model_time
from graders.submission.read import Submission
from graders.trained.checkpoint import TrainedModel
from graders.trained.fresh_process import FreshProcesses, MeasurementStopped, Parts
from graders.trained.measure import open_parts
from graders.trained.next_token import build_model
from graders.trained.tokenizer import Tokenizer


def draw_trained(
    exercise: Exercise,
    submission: Submission,
    model: Source,
    beside: Mapping[str, Source | Missing],
    box: Box,
    sentence: str,
) -> Drawing:
    """The drawing of a trained model; what goes wrong is a sentence in its place."""
    assert exercise.options.drawn is not None
    drawing = Drawing(exercise.name, exercise.title, exercise.options.drawn.causal[0])
    if submission.checkpoint is None:
        return replace(drawing, problem=tr("There is no trained model to draw."))
    parts = Parts(model, beside["encode"], beside["decode"], submission.checkpoint)
    processes = FreshProcesses(box, TimeBudget([model_time(box.limits, 0.0)], seconds_per_byte=0.0))
    try:
        return _draw(drawing, processes, parts, sentence)
    except (MeasurementStopped, NotDrawn) as reason:
        return replace(drawing, problem=str(reason))


def _draw(drawing: Drawing, processes: FreshProcesses, parts: Parts, sentence: str) -> Drawing:
    trained = open_parts(processes, parts)
    text, notes = _known_part(sentence, trained)
    tokenizer = Tokenizer(processes, parts, trained)
    [ids] = tokenizer.encode([text])
    most = min(MOST, trained.block_size)
    if len(ids) > most:
        notes.append(tr("The first {shown} of {count} tokens are drawn.", shown=most, count=len(ids)))
    ids = ids[:most]
    tokens = _pieces(text, tokenizer.decode(list(ids.split(1))))
    if len(tokens) < 2:
        raise NotDrawn(tr("The model knows too few characters of the sentence."))
    with build_model(processes, parts, trained) as model:
        reply = model.watch(ids)
    layers, said = layers_of(check_watched(reply, len(tokens)))
    return replace(
        drawing, weights_from="trained", tokens=tuple(tokens), layers=tuple(layers), notes=(*notes, *said)
    )


def _known_part(sentence: str, trained: TrainedModel) -> tuple[str, list[str]]:
    """The sentence without the characters that the model does not know, where it knows characters alone."""
    known = set(trained.chars)
    if any(len(token) != 1 for token in known) or known.issuperset(sentence):
        return sentence, []
    unknown = dict.fromkeys(char for char in sentence if char not in known)
    text = "".join(char for char in sentence if char in known)
    if len(text) < 2:
        raise NotDrawn(tr("The model knows too few characters of the sentence."))
    return text, [
        tr("Left out, since the model does not know them: {characters}", characters=" ".join(unknown))
    ]


def _pieces(text: str, decoded: Sequence[str]) -> list[str]:
    """The part of our own text that each token stands for.

    Raises:
        NotDrawn: the tokens, decoded one by one, do not give the text.
    """
    if not text.startswith("".join(decoded)):
        raise NotDrawn(tr("The tokens of the sentence, decoded one by one, do not give the sentence."))
    pieces, at = [], 0
    for piece in decoded:
        pieces.append(text[at : at + len(piece)])
        at += len(piece)
    return pieces
