"""beam_search(model, start_id, stop_id, beams, max_len, length_penalty) -> the ids of the best sequence.

What is due comes from an exhaustive search where the beam holds all sequences, and else from the rules of the
contract, on draws where no two sequences are of nearly equal worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import product
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import lent_models
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, RecordingModel, Target, Violation, check, kind, require
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.lengths import EXTREME
from graders.check_api.strategies.prompts import STATES
from graders.check_api.strategies.tensors import hidden, normal, patterns, seeds
from graders.language import tr

APART = 0.02  # between what is kept and what is not: no rounding decides
NEVER = -60.0  # the logit of a stop that never comes
TRIED = 400  # tables, of which about one in five is of use
NOISE = 1e-4  # in logits: they are others in each run, and what is kept is not


@dataclass(frozen=True, eq=False)
class Search:
    """The arguments of a search, and the table of the model (`TableModel`)."""

    start_id: int
    stop_id: int
    beams: int
    max_len: int
    length_penalty: float
    table: Tensor = field(metadata=hidden)
    seed: int = field(default=0, metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call, without the model."""
        return [self.start_id, self.stop_id, self.beams, self.max_len, self.length_penalty]

    def logs(self, ids: Sequence[int]) -> Tensor:
        """The log-probabilities of the id behind these, (V,)."""
        given = torch.tensor([[self.start_id, *ids]])
        return lent_models.logits(self.table, given)[0, -1].double().log_softmax(-1)

    def worth(self, total: float, ids: Sequence[int]) -> float:
        """What finished sequences are compared by."""
        return float(total / len(ids) ** self.length_penalty)

    def without_stop(self, ids: Sequence[int]) -> list[int]:
        """The ids of a sequence as they are to be returned."""
        return list(ids[:-1] if ids[-1] == self.stop_id else ids)


@dataclass(frozen=True)
class Found:
    """The best sequence, and by how much it and all that was kept are better than what was not."""

    ids: list[int]
    apart: float


def search(draw: Search, filled: bool = False) -> Found:
    """What a beam finds; with `filled`, one in which others take the places of what is finished."""
    beam: list[tuple[float, list[int]]] = [(0.0, [])]
    finished: list[tuple[float, list[int]]] = []
    apart = 1.0
    for _ in range(draw.max_len):
        every = [
            (total + float(log), [*ids, word])
            for total, ids in beam
            for word, log in enumerate(draw.logs(ids))
        ]
        every.sort(key=lambda pair: -pair[0])
        kept, rest = every[: draw.beams], every[draw.beams :]
        apart = min([apart, *(kept[-1][0] - pair[0] for pair in rest[:1])])
        finished += [pair for pair in kept if pair[1][-1] == draw.stop_id]
        beam = [pair for pair in (every if filled else kept) if pair[1][-1] != draw.stop_id][: draw.beams]
        if not beam:
            break
    ranked = sorted((draw.worth(*pair) for pair in finished + beam), reverse=True)
    apart = min([apart, *(ranked[0] - second for second in ranked[1:2])])
    best = max(finished + beam, key=lambda pair: draw.worth(*pair))
    return Found(draw.without_stop(best[1]), apart)


def try_all(draw: Search, length: Callable[[Sequence[int]], int] = len) -> Found:
    """The best of all sequences there are; `length` says how many ids one has."""
    words, ranked = draw.table.shape[1], []
    others = [word for word in range(words) if word != draw.stop_id]
    for count in range(draw.max_len):
        for front in product(others, repeat=count):
            for last in range(words) if count + 1 == draw.max_len else (draw.stop_id,):
                ids = [*front, last]
                total = sum(float(draw.logs(ids[:place])[word]) for place, word in enumerate(ids))
                ranked.append((total / max(1, length(ids)) ** draw.length_penalty, ids))
    ranked.sort(key=lambda pair: -pair[0])
    return Found(draw.without_stop(ranked[0][1]), ranked[0][0] - ranked[1][0])


def table_of(words: int, stop_id: int, stop: float, seed: int) -> Tensor:
    """The logits of a model whose states are not equally sure, with a number added to those of the stop.

    A number is added to all logits of a state, too, which changes no probability.
    """
    table = normal(STATES, words, seed=seed) * (0.5 + normal(STATES, 1, seed=seed + 1).abs())
    table[:, stop_id] += stop
    return table + 3 * normal(STATES, 1, seed=seed + 2)


def drawn(
    words: int,
    beams: int,
    max_len: int,
    pattern: int,
    stop: float,
    penalty: float = 0.0,
    useful: Callable[[Search], bool] = lambda draw: search(draw).apart > APART,
) -> Search:
    """A search on a table that is of use, the first of those that follow from a number."""
    start_id, stop_id = pattern % words, (pattern // words) % (words - 1)
    stop_id += stop_id >= start_id
    for attempt in range(pattern, pattern + TRIED):
        table = table_of(words, stop_id, stop, attempt)
        draw = Search(start_id, stop_id, beams, max_len, penalty, table, pattern)
        if useful(draw):
            break
    return draw


def searches(make: Callable[[int], Search]) -> st.SearchStrategy[Search]:
    """Searches with nearly the same tables under every seed, so that no wrong rule is right by luck alone.

    What is kept is better than what is not by far more than the noise, which alone follows from the seed.
    """

    def add_noise(pattern: int, seed: int) -> Search:
        draw = make(pattern)
        return replace(draw, table=draw.table + NOISE * normal(*draw.table.shape, seed=seed))

    return st.builds(add_noise, patterns(), seeds())


def _beam_matters(draw: Search) -> bool:
    """Whether one sequence less or one more in the beam finds another, as does the best of all."""
    here = search(draw)
    if here.apart <= APART:
        return False
    others = [replace(draw, beams=1), replace(draw, beams=draw.beams + 1)]
    return all(search(other).ids != here.ids for other in others)


def _each_beam_matters(draw: Search) -> bool:
    """Whether one sequence more in the beam finds another than this beam, and than one that is never cut."""
    if not _beam_matters(draw):
        return False
    wider, grown = search(replace(draw, beams=draw.beams + 1)).ids, _best_of_grown(draw)
    return wider != grown != search(draw).ids


def _best_of_grown(draw: Search) -> list[int]:
    """The likeliest ids, without a stop, where each sequence goes on in as many ways as the beam is wide."""
    beam: list[tuple[float, list[int]]] = [(0.0, [])]
    for _ in range(draw.max_len):
        logs = [draw.logs(ids).topk(draw.beams) for _, ids in beam]
        beam = [
            (total + value, [*ids, word])
            for (total, ids), best in zip(beam, logs, strict=True)
            for value, word in zip(best.values.tolist(), best.indices.tolist(), strict=True)
        ]
    return max(beam)[1]


def _one_softmax_matters(draw: Search) -> bool:
    """Whether probabilities that are taken for logits lead to another sequence."""
    here = search(draw)
    return here.apart > APART and search(replace(draw, table=draw.table.softmax(-1))).ids != here.ids


def _penalty_matters(draw: Search, otherwise: Callable[[Search], Found]) -> bool:
    here = try_all(draw)
    return here.apart > APART and otherwise(draw).ids != here.ids


def _short_and_not_first(draw: Search) -> bool:
    """Whether sequences that are short win where they should lose, but not the shortest of all."""
    here, short = try_all(draw), by(-1.0)(draw).ids
    return here.apart > APART and here.ids != short != []


def _each_penalty_matters(draw: Search) -> bool:
    """Whether sums, means and products with the length have three different bests, all by far."""
    found = [try_all(draw), by(0.0)(draw), by(-1.0)(draw)]
    return min(one.apart for one in found) > APART and len({tuple(one.ids) for one in found}) == len(found)


def _leaving_matters(draw: Search) -> bool:
    here = search(draw)
    return here.apart > APART and search(draw, filled=True).ids != here.ids


def _stopped(draw: Search, is_due: bool) -> bool:
    """Whether the best of all has stopped, or has not, where there are both."""
    here, whole = try_all(draw), replace(draw, length_penalty=0.0)
    return here.apart > APART and (len(here.ids) < draw.max_len) is is_due and try_all(whole).apart > APART


unending = searches(lambda pattern: drawn(5, 2, 5, pattern, NEVER, useful=_beam_matters))
whole = searches(
    lambda pattern: drawn(3, 27, 3, pattern, 0.5, useful=lambda draw: try_all(draw).apart > APART)
)


def penalised(penalty: float, otherwise: Callable[[Search], Found]) -> st.SearchStrategy[Search]:
    """Searches through all sequences in which the penalty finds another than a wrong one does."""
    useful = partial(_penalty_matters, otherwise=otherwise)
    return searches(lambda pattern: drawn(3, 27, 3, pattern, 0.5, penalty, useful))


def by(penalty: float) -> Callable[[Search], Found]:
    """The best under another penalty."""
    return lambda draw: try_all(replace(draw, length_penalty=penalty))


def _with_start(draw: Search) -> Found:
    return try_all(draw, lambda ids: len(ids) + 1)


def _without_stop(draw: Search) -> Found:
    return try_all(draw, lambda ids: len(draw.without_stop(ids)))


leaving = searches(lambda pattern: drawn(4, 2, 5, pattern, 0.5, 1.0, _leaving_matters))


def ending(is_due: bool) -> st.SearchStrategy[Search]:
    """Searches through all sequences whose best has stopped, or has not."""
    useful = partial(_stopped, is_due=is_due)
    return searches(lambda pattern: drawn(3, 27, 3, pattern, 0.0, 1.0, useful))


def run(candidate: Candidate, draw: Search, seed: int = 0) -> tuple[Any, RecordingModel]:
    """The answer under a seed, and the model."""
    model = candidate.make_model("TableModel", table=draw.table)
    model.train(False)
    return candidate.seeded(draw.seed + seed, model, *draw.arguments).answer, model


def ids_of(answer: Any) -> list[int]:
    """The ids of an answer, also where they are a tensor, or come first of a tuple.

    Raises:
        Violation: these are no ids.
    """
    if isinstance(answer, tuple) and answer and isinstance(answer[0], list | Tensor):
        answer = answer[0]
    whole_numbers = isinstance(answer, Tensor) and (not answer.is_floating_point() or not answer.numel())
    if whole_numbers and answer.numel() < 1 << 16:
        answer = answer.flatten().tolist()
    if isinstance(answer, tuple | list):
        ids = [int(i) if isinstance(i, Tensor) and i.numel() == 1 else i for i in answer]
        if all(type(i) is int for i in ids):
            return ids
    raise Violation(tr("there should be a list of ints, but there is {kind}", kind=kind(answer)))


def found(candidate: Candidate, draw: Search) -> list[int]:
    """The ids of the sequence, without start and stop: one check is about these."""
    answer, model = run(candidate, draw)
    ids = ids_of(answer)
    require(model.calls > 0, tr("the model is never called"))
    ids = ids[1:] if ids[:1] == [draw.start_id] and len(ids) > 1 and _has_start(draw, ids) else ids
    return ids[:-1] if ids[-1:] == [draw.stop_id] else ids


def _has_start(draw: Search, ids: list[int]) -> bool:
    """Whether the first id is the start, and not the first that was found."""
    due = search(draw).ids
    return ids[: len(due)] != due


def require_ids(ids: list[int], due: list[int]) -> None:
    """Require these ids.

    Raises:
        Violation: they are others.
    """
    listed = (" ".join(map(str, each[:40])) or tr("none") for each in (due, ids))
    due_ids, found_ids = listed
    message = tr("the best sequence is {due}, but {found} is found", due=due_ids, found=found_ids)
    require(ids == due, message)


def ids_found(draw: Search) -> list[int]:
    """The ids that a beam finds."""
    return search(draw).ids


def best_of_all(draw: Search) -> list[int]:
    """The ids of the best of all sequences."""
    return try_all(draw).ids


def depends_on_the_model(candidate: Candidate, draw: Search) -> None:
    """Require other sequences from other models; where two differ, no further one is asked for."""
    first, *others = _other_models(draw.seed)
    ids = ids_of(run(candidate, first)[0])
    depends = any(ids_of(run(candidate, other)[0]) != ids for other in others)
    require(depends, tr("the answer does not depend on {what}", what="model"))


@lru_cache(maxsize=64)
def _other_models(pattern: int) -> list[Search]:
    return [drawn(5, 2, 4, pattern + n, NEVER) for n in (1_000, 2_000, 3_000, 4_000)]


@check(points=0.5, given=unending, shape_only=True, draws=3)
def gives_a_list_of_ints(beam_search: Candidate, draw: Search) -> None:
    """the answer is a list of ints

    fr: la réponse est une liste d'int
    """
    answer, _ = run(beam_search, draw)
    message = tr("there should be a list of ints, but there is {kind}", kind=kind(answer))
    require(isinstance(answer, list) and all(type(i) is int for i in answer), message)


@check(points=5, given=unending, core=True, answer=ids_found)
def keeps_the_best_continuations_of_all(beam_search: Candidate, draw: Search, due: list[int]) -> None:
    """at each step the best continuations of all sequences together are kept, as many as there are beams

    fr: à chaque pas, les meilleures suites de toutes les séquences ensemble sont gardées, au nombre de beams
    """
    require_ids(found(beam_search, draw), due)


@check(points=3, given=whole, core=True, answer=best_of_all)
def finds_the_best_of_all(beam_search: Candidate, draw: Search, due: list[int]) -> None:
    """where the beam holds all sequences, the most probable of all is found

    fr: là où le faisceau contient toutes les séquences, la plus probable de toutes est trouvée
    """
    require_ids(found(beam_search, draw), due)


@check(
    points=4,
    given=[
        penalised(1.0, by(0.0)),
        penalised(0.6, by(1.0)),
        penalised(1.0, _with_start),
        penalised(1.0, _without_stop),
    ],
    draws=8,
    answer=best_of_all,
)
def compares_by_the_length_penalty(beam_search: Candidate, draw: Search, due: list[int]) -> None:
    """the sum is divided by the number of ids, of which the stop is one, to the power of length_penalty

    fr: la somme est divisée par le nombre d'identifiants, dont l'arrêt fait partie, à la puissance
    length_penalty
    """
    require_ids(found(beam_search, draw), due)


@check(points=3.5, given=leaving, answer=ids_found)
def lets_what_is_finished_leave(beam_search: Candidate, draw: Search, due: list[int]) -> None:
    """what is finished leaves the beam, and nobody takes its place

    fr: ce qui est fini quitte le faisceau, et personne n'y prend sa place
    """
    require_ids(found(beam_search, draw), due)


@check(points=3.5, given=[ending(True), ending(False)], answer=best_of_all)
def compares_what_has_stopped_and_what_has_not(beam_search: Candidate, draw: Search, due: list[int]) -> None:
    """what has stopped early and what goes on to max_len are compared with one another

    fr: ce qui s'est arrêté tôt et ce qui continue jusqu'à max_len sont comparés entre eux
    """
    require_ids(found(beam_search, draw), due)


@check(points=1, given=[ending(True), unending], draws=4)
def leaves_both_signs_out(beam_search: Candidate, draw: Search) -> None:
    """the answer has neither start_id in front nor stop_id at its end

    fr: la réponse n'a ni start_id devant, ni stop_id à la fin
    """
    ids = ids_of(run(beam_search, draw)[0])
    message = tr("the sign, {stop}, stands in the answer", stop=draw.stop_id)
    require(draw.stop_id not in ids, message)
    message = tr("max_len is {max_len}, and {n} ids come back", max_len=draw.max_len, n=len(ids))
    require(len(ids) <= draw.max_len, message)
    depends_on_the_model(beam_search, draw)


@check(points=1, given=unending, draws=3)
def with_one_beam_is_greedy(beam_search: Candidate, draw: Search) -> None:
    """with one beam the likeliest id is taken at each step

    fr: avec un seul faisceau, l'identifiant le plus probable est pris à chaque pas
    """
    alone = replace(draw, beams=1)
    require_ids(found(beam_search, alone), search(alone).ids)


def sized(words: int, beams: int, max_len: int) -> Search:
    """The search of these sizes: the same under every seed."""
    return drawn(words, beams, max_len, 0, NEVER, useful=lambda draw: search(draw).apart > 1e-4)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=0.5,
    kept_because=EXTREME,
    answer=lambda draw: Target(torch.tensor(search(draw).ids).double(), 0.0),
    output_of=lambda beam_search, draw: torch.tensor(found(beam_search, draw)).double(),
    usual=lambda pattern: drawn(5, 2, 5, pattern, NEVER, useful=_beam_matters),
    otherwise=depends_on_the_model,
    most=200,
    stretched=[lambda n, _: sized(n, 2, 3), lambda n, _: sized(4, 2, n)],
)


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    searches = [
        drawn(5, 2, 5, seed, NEVER, useful=_beam_matters),
        drawn(5, 2, 5, seed + 100, NEVER, useful=_each_beam_matters),
        drawn(6, 3, 5, seed + 200, NEVER),
        drawn(5, 2, 5, seed + 250, 0.5, 0.0, _one_softmax_matters),
        drawn(3, 27, 3, seed, 0.5, 0.6, partial(_penalty_matters, otherwise=by(1.0))),
        drawn(3, 27, 3, seed, 0.5, 1.0, partial(_penalty_matters, otherwise=by(0.0))),
        drawn(3, 27, 3, seed, 0.5, 1.0, partial(_penalty_matters, otherwise=_with_start)),
        drawn(3, 27, 3, seed, 0.5, 1.0, partial(_penalty_matters, otherwise=_without_stop)),
        drawn(3, 27, 3, seed + 300, -0.5, 1.0, _each_penalty_matters),
        drawn(4, 2, 5, seed, 0.5, 1.0, _leaving_matters),
        drawn(4, 3, 5, seed + 50, 0.5, 0.7),
        drawn(4, 3, 6, seed + 150, 1.0, 1.0),
        drawn(3, 27, 3, seed, 0.0, 1.0, partial(_stopped, is_due=True)),
        drawn(3, 27, 3, seed, 0.0, 1.0, partial(_stopped, is_due=False)),
        drawn(3, 27, 3, seed, -0.5, 1.0, _short_and_not_first),
        *(drawn(5, 3, 6, seed + 1_000 * place, 0.5, 0.8) for place in range(1, 3)),
    ]
    return [BehaviourTrial(partial(_answer, draw)) for draw in searches]


def _answer(draw: Search, candidate: Candidate) -> Any:
    """The ids of an answer, with its form."""
    answer, _ = run(candidate, draw)
    return f"{type(answer).__name__} {ids_of(answer)}"


options = Options(diagnostic_draws=diagnostic_draws)
