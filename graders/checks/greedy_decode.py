"""greedy_decode(model, src, start_id, stop_id, pad_id, max_len) -> (B, T): the likeliest id at each step.

The model is ours. It knows the source by its memory alone, and its likeliest ids are far from sure, so that
code which draws ids shows.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Raised,
    RecordingModel,
    Target,
    Violation,
    check,
    kind,
    require,
    same,
    tensor,
)
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.translations import (
    Translation,
    decoded_ids,
    stopping,
    translate,
    translation,
    translations,
)
from graders.language import tr


def run(candidate: Candidate, draw: Translation, seed: int = 0) -> tuple[Any, RecordingModel]:
    """The answer under a seed, and the model."""
    model = candidate.make_model("TranslationModel", table=draw.table)
    model.train(False)
    return candidate.seeded(draw.seed + seed, model, *draw.arguments).answer, model


def decode(candidate: Candidate, draw: Translation) -> Tensor:
    """The ids of an answer, with the start."""
    answer, model = run(candidate, draw)
    ids = decoded_ids(answer, draw)
    require(model.calls > 0, tr("the model is never called"))
    return ids


def as_taken(candidate: Candidate, draw: Translation) -> Translation:
    """The draw; its first source alone where code decodes no batch, for other checks are about that."""
    try:
        decode(candidate, draw)
    except (Raised, Violation):
        return replace(draw, src=draw.src[:1])
    return draw


def lengths(idx: Tensor, stop_id: int) -> list[int]:
    """How many ids each sequence has up to its first stop, which counts; all, where there is none."""
    return [row.index(stop_id) + 1 if stop_id in row else len(row) for row in idx.tolist()]


def _require_row(ids: Tensor, due: Tensor, sequence: int) -> None:
    """Require the ids of one sequence up to its stop."""
    if torch.equal(ids[: len(due)], due):
        return
    message = tr(
        "sequence {sequence} should be {due}, but is {found}",
        sequence=sequence,
        due=" ".join(map(str, due.tolist())),
        found=" ".join(map(str, ids[: len(due) + 2].tolist())),
    )
    raise Violation(message, actual=ids)


@check(points=2, given=translations(), shape_only=True, draws=4)
def gives_ids_that_begin_with_the_start(greedy_decode: Candidate, draw: Translation) -> None:
    """the answer is int64 (B, T) and every sequence begins with start_id

    fr: la réponse est int64 (B, T) et chaque séquence commence par start_id
    """
    answer, _ = run(greedy_decode, draw)
    ids, batch = tensor(answer, tr("the answer")), len(draw.src)
    message = tr("the answer should be of dtype int64, but is of {dtype}", dtype=ids.dtype)
    require(ids.dtype == torch.int64, message)
    rows = ids.dim() == 2 and len(ids) == batch and ids.shape[1] > 0
    require(rows, tr("there should be {batch} rows of ids", batch=batch))
    message = tr("sequences should begin with start_id, {start}", start=draw.start_id)
    require(bool((ids[:, 0] == draw.start_id).all()), message)


@check(points=7, given=translations(), answer=translate, core=True)
def writes_the_likeliest_id_at_each_step(greedy_decode: Candidate, draw: Translation, due: Tensor) -> None:
    """each sequence has the likeliest id at each step up to its own stop, which stays in it

    fr: chaque séquence a l'identifiant le plus probable à chaque pas, jusqu'à son propre arrêt, qui y reste
    """
    ids = decode(greedy_decode, draw)
    for sequence, length in enumerate(lengths(due, draw.stop_id)):
        _require_row(ids[sequence], due[sequence, :length], sequence)


@check(points=3, given=translations(corner="batch"), answer=translate, core=True, draws=4)
def decodes_a_source_alone(greedy_decode: Candidate, draw: Translation, due: Tensor) -> None:
    """one source alone gives the likeliest id at each step up to its stop

    fr: une source seule donne l'identifiant le plus probable à chaque pas jusqu'à son arrêt
    """
    ids, length = decode(greedy_decode, draw), lengths(due, draw.stop_id)[0]
    _require_row(ids[0], due[0, :length], 0)


@check(points=3, given=translations(), draws=3)
def fills_up_what_has_stopped(greedy_decode: Candidate, draw: Translation) -> None:
    """after its stop a sequence has pad_id, up to the end of the longest

    fr: après son arrêt, une séquence a pad_id, jusqu'à la fin de la plus longue
    """
    ids = decode(greedy_decode, draw)
    for sequence, length in enumerate(lengths(ids, draw.stop_id)):
        rest = ids[sequence, length:]
        for place in (rest != draw.pad_id).nonzero().flatten()[:1].tolist():
            message = tr(
                "sequence {sequence} has stopped at position {stop}, and has {found} at position {position}, "
                "where pad_id is {pad}",
                sequence=sequence,
                stop=length - 1,
                found=int(rest[place]),
                position=length + place,
                pad=draw.pad_id,
            )
            raise Violation(message, actual=ids)
    _asks_the_model(greedy_decode, draw, ids)


@check(points=2, given=translations(), draws=4)
def ends_when_all_have_stopped(greedy_decode: Candidate, draw: Translation) -> None:
    """the answer is as long as its longest sequence: nothing follows once all have stopped

    fr: la réponse est aussi longue que sa plus longue séquence : rien ne suit une fois que toutes se sont
    arrêtées
    """
    patient = replace(draw, max_len=draw.max_len + 3)
    ids = decode(greedy_decode, patient)
    longest = max(lengths(ids, draw.stop_id))
    stopped = all(draw.stop_id in row for row in ids.tolist())
    message = tr("all have stopped after {due} ids, and the answer has {n}", due=longest, n=ids.shape[1])
    require(not stopped or ids.shape[1] == longest, message)
    require(ids.shape[1] > 1, tr("nothing is written"))
    _asks_the_model(greedy_decode, patient, ids)


@check(points=2, given=translations(endless=True), draws=4)
def writes_max_len_ids_at_most(greedy_decode: Candidate, draw: Translation) -> None:
    """where the model never stops, max_len ids follow start_id

    fr: là où le modèle ne s'arrête jamais, max_len identifiants suivent start_id
    """
    draw = as_taken(greedy_decode, draw)
    ids = decode(greedy_decode, draw)
    new = ids.shape[1] - 1
    message = tr("max_len is {max_len}, and {n} ids follow start_id", max_len=draw.max_len, n=new)
    require(new == draw.max_len, message)
    _depends_on_the_model(greedy_decode, draw, ids)


@check(points=1, given=translations(), shape_only=True, draws=3)  # what is written has checks of its own
def encodes_the_source_once(greedy_decode: Candidate, draw: Translation) -> None:
    """each source is encoded once, and nothing else is

    fr: chaque source est encodée une fois, et rien d'autre ne l'est
    """
    draw = as_taken(greedy_decode, draw)
    answer, model = run(greedy_decode, draw)
    decoded_ids(answer, draw)
    encoded, batch = model.call_log().encoded, len(draw.src)
    message = tr("{n} sequences were encoded for {batch} sources", n=encoded, batch=batch)
    require(encoded == batch, message)


@check(points=1, given=translations(), draws=4)
def treats_sequences_apart(greedy_decode: Candidate, draw: Translation) -> None:
    """a source gives the ids that it gives beside other sources, up to its stop

    fr: une source donne les identifiants qu'elle donne à côté d'autres sources, jusqu'à son arrêt
    """
    ids = decode(greedy_decode, draw)
    for sequence, length in enumerate(lengths(ids, draw.stop_id)):
        twice = decode(greedy_decode, replace(draw, src=draw.src[[sequence, sequence]]))
        same(twice[0, :length], ids[sequence, :length], tr("a sequence beside itself"))
    sources = (replace(draw, src=draw.src + n) for n in range(1, 10))
    other = decode(greedy_decode, _with_other_ids(draw, sources))
    require(not torch.equal(other, ids), tr("the answer does not depend on {what}", what="src"))


@check(points=1, given=translations(), draws=3)
def draws_nothing_at_random(greedy_decode: Candidate, draw: Translation) -> None:
    """another seed gives the same ids, and another model others

    fr: une autre graine donne les mêmes identifiants, et un autre modèle d'autres
    """
    draw = as_taken(greedy_decode, draw)
    _asks_the_model(greedy_decode, draw, decode(greedy_decode, draw))


def up_to_each_stop(greedy_decode: Candidate, draw: Translation) -> Tensor:
    """The ids that are written up to each stop, in the shape that is due; what follows a stop is padding."""
    ids, due = decode(greedy_decode, draw), translate(draw)
    new = torch.full_like(due, draw.pad_id)
    for sequence, length in enumerate(lengths(ids, draw.stop_id)):
        kept = min(length, new.shape[1])
        new[sequence, :kept] = ids[sequence, :kept]
    return new.double()


def decodes_equal_sources_alike(greedy_decode: Candidate, draw: Translation) -> None:
    """Require the same ids from equal sources, and others from another model."""
    ids = decode(greedy_decode, replace(draw, src=draw.src[[0, 0]]))
    length = lengths(ids, draw.stop_id)[0]
    same(ids[1, :length], ids[0, :length], tr("a sequence beside itself"))
    _depends_on_the_model(greedy_decode, draw, decode(greedy_decode, draw))


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=1,
    kept_because=EXTREME,
    answer=lambda draw: Target(translate(draw).double(), 0.0),
    output_of=up_to_each_stop,
    usual=partial(translation, 3, 4, 5, share=0.0),
    otherwise=decodes_equal_sources_alike,
    fixed=[partial(translation, 4, 4, 4)],
    stretched=[
        lambda n, seed: translation(n, 3, 4, seed),
        lambda n, seed: translation(2, n, 4, seed),
        lambda n, seed: translation(2, 3, n, seed, share=0.0),
    ],
)


def _asks_the_model(greedy_decode: Candidate, draw: Translation, ids: Tensor) -> None:
    again = decoded_ids(run(greedy_decode, draw, seed=1)[0], draw)
    same(again, ids, tr("the answer under another seed"))
    _depends_on_the_model(greedy_decode, draw, ids)


def _depends_on_the_model(greedy_decode: Candidate, draw: Translation, ids: Tensor) -> None:
    models = (replace(draw, table=draw.table.roll(n, 0)) for n in range(1, len(draw.table)))
    other = decode(greedy_decode, _with_other_ids(draw, models))
    require(not torch.equal(other, ids), tr("the answer does not depend on {what}", what="model"))


def _with_other_ids(draw: Translation, changed: Iterator[Translation]) -> Translation:
    """The first of the changed draws that is due to be decoded otherwise: short answers may be the same."""
    due = translate(draw)
    return next(other for other in changed if not torch.equal(translate(other), due))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual = _all_stopping(3, 4, 8, seed, longest_first=False)
    return [
        BehaviourTrial(partial(_decoded, usual)),
        BehaviourTrial(partial(_decoded, _all_stopping(4, 5, 9, seed + 200, longest_first=True))),
        BehaviourTrial(partial(_decoded, translation(2, 3, 7, seed + 400))),
        BehaviourTrial(partial(_decoded, translation(2, 3, 5, seed + 600, share=0.0))),
        BehaviourTrial(partial(_decoded, _stopping_early(seed + 800))),
        BehaviourTrial(partial(_encodings, usual)),
    ]


def _all_stopping(batch: int, length: int, most: int, seed: int, longest_first: bool) -> Translation:
    """Sources whose sequences all stop before max_len, not all at one step, in the order of their lengths.

    So it shows which row decides when all end. Neither start, stop nor padding is 0: a 0 in their place
    shows, too.
    """
    for attempt in range(seed, seed + 100):
        draw = translation(batch, length, most, attempt)
        due = translate(draw)
        ends = torch.tensor(lengths(due, draw.stop_id))
        at_different_steps = due.shape[1] <= most and int(ends.min()) < int(ends.max())
        if at_different_steps and 0 not in (draw.start_id, draw.pad_id, draw.stop_id):
            break
    return replace(draw, src=draw.src[ends.argsort(descending=longest_first)])


def _stopping_early(seed: int) -> Translation:
    """One source, whose sequence stops before max_len."""
    for attempt in range(seed, seed + 100):
        draw = translation(1, 4, 9, attempt)
        draw = replace(draw, table=stopping(10, draw.stop_id, attempt))
        if 3 <= translate(draw).shape[1] < 7:
            break
    return draw


def _decoded(draw: Translation, candidate: Candidate) -> Any:
    """The ids of an answer; "by chance" if another seed gives others."""
    first, other = (run(candidate, draw, seed)[0] for seed in (0, 1))
    if not isinstance(first, Tensor) or not isinstance(other, Tensor):
        return kind(first)
    return first if torch.equal(first, other) else "by chance"


def _encodings(draw: Translation, candidate: Candidate) -> str:
    """How often sequences are encoded."""
    _, model = run(candidate, draw)
    return "once" if model.call_log().encoded == len(draw.src) else "more or less than once"


options = Options(diagnostic_draws=diagnostic_draws)
