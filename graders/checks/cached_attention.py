"""cached_attention(q, k, v, cache=None) -> (output, (keys, values)): what a new position costs is a check."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api import properties
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Target, agree, alike, check, require, same, shaped, targets
from graders.check_api.compare import is_near, tensor
from graders.check_api.grows_as import Growth
from graders.check_api.options import Options
from graders.check_api.standard_checks import function_checks
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.grouped_heads import AS_MANY, SHARED
from graders.check_api.strategies.tensors import hidden, input_values, normal, seeds, several, sizes
from graders.check_api.timed_call import Timed, flops_of_attention
from graders.language import tr

Cache = tuple[Tensor, Tensor]
BASE = 10000.0


@dataclass(frozen=True, eq=False)
class Step(Drawn):
    """Queries (B, H, T, D), keys and values (B, G, T, D) of new positions; a cache (B, G, P, D) or None."""

    alive_at: ClassVar[tuple[int, ...]] = (2,)

    q: Tensor
    k: Tensor
    v: Tensor
    cached_keys: Tensor | None = None
    cached_values: Tensor | None = None
    seed: int = field(default=0, metadata=hidden, kw_only=True)

    @property
    def cache(self) -> Cache | None:
        """The pair that is handed over."""
        if self.cached_keys is None or self.cached_values is None:
            return None
        return self.cached_keys, self.cached_values

    @property
    def past(self) -> int:
        """P, how many positions the cache has."""
        return 0 if self.cached_keys is None else self.cached_keys.shape[2]

    @property
    def argument_names(self) -> list[str]:
        """The names of the arguments of a call."""
        return ["q", "k", "v", "cache"]

    @property
    def tensors(self) -> list[Tensor]:
        """All tensors that are handed over."""
        return [self.q, self.k, self.v, *(self.cache or ())]


@st.composite
def steps(
    draw: st.DrawFn,
    new: int | None = None,
    past: int | None = None,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
) -> Step:
    """Some new positions behind some in the cache; with `past=0` there is no cache.

    `corner` is "num_heads" or "num_kv_heads", of which there is one then, or AS_MANY.
    """
    groups, sharing = draw(st.sampled_from(SHARED))
    sharing = 1 if corner in (AS_MANY, "num_heads") else sharing
    groups = 1 if corner in ("num_heads", "num_kv_heads") else groups
    count = draw(sizes(2, 3)) if new is None else new
    before = draw(sizes(2, 4)) if past is None else past
    shape = (draw(several()), groups * sharing, groups, count, before, 2 * draw(sizes(1, 2)))
    return step_of(shape, draw(seeds()), dtype, plain=True)


def step_of(
    shape: Sequence[int], seed: int, dtype: torch.dtype = torch.float64, *, plain: bool = False
) -> Step:
    """Tensors of these sizes from a seed: B, H, G, T, P and D."""
    batch, heads, groups, new, past, width = shape
    values = partial(input_values if plain else normal, dtype=dtype)
    q = values(batch, heads, new, width, seed=seed)
    k, v = (values(batch, groups, new, width, seed=seed + n) for n in (1, 2))
    if not past:
        return Step(q, k, v, seed=seed)
    cached = [values(batch, groups, past, width, seed=seed + n) for n in (3, 4)]
    return Step(q, k, v, *cached, seed=seed)


def compute(q: Tensor, k: Tensor, v: Tensor, *cached: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The output, the keys and the values by their definition."""
    past = cached[0].shape[2] if cached else 0
    keys, values = _turn(k, past), v
    if cached:
        keys, values = torch.cat([cached[0], keys], 2), torch.cat([cached[1], values], 2)
    heads_of_keys, heads_of_values = (
        part.repeat_interleave(q.shape[1] // k.shape[1], 1) for part in (keys, values)
    )
    scores = _turn(q, past) @ heads_of_keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
    places = torch.arange(past + q.shape[2])
    later = places > places[past:, None]
    return scores.masked_fill(later, -math.inf).softmax(-1) @ heads_of_values, keys, values


def _turn(x: Tensor, start: int) -> Tensor:
    """The halves of the columns are the parts of complex numbers, which a product turns."""
    pairs = torch.view_as_complex(torch.stack(x.chunk(2, -1), -1))
    places = torch.arange(start, start + x.shape[2], dtype=x.dtype)
    exponents = torch.arange(pairs.shape[-1], dtype=x.dtype) / pairs.shape[-1]
    turned = pairs * torch.exp(1j * torch.outer(places, BASE**-exponents))
    return torch.view_as_real(turned).movedim(-1, -2).flatten(-2)


def compute_output(draw: Step) -> Target:
    """The output that is due."""
    return targets(lambda *given: [compute(*given)[0]], draw.tensors)[0]


def compute_all(draw: Step) -> tuple[Target, ...]:
    """The output, the keys and the values that are due."""
    return targets(compute, draw.tensors)


def tensors_of(answer: Any) -> list[Any]:
    """The output, the keys and the values in an answer, in whatever tuples they are."""
    if isinstance(answer, tuple | list | dict):
        return [one for part in properties.parts(answer) for one in tensors_of(part)]
    return [answer]


def output_of(candidate: Candidate, draw: Step) -> Tensor:
    """The output for a draw, which must have the shape of q."""
    output = output_in(candidate(*draw.arguments))
    shaped(output, tuple(draw.q.shape))
    return output


def output_in(answer: Any) -> Tensor:
    """The output in an answer; a violation where there is no tensor."""
    return tensor(next(iter(tensors_of(answer)), None))


def cache_of(answer: Any) -> Cache:
    """The pair in an answer; a violation where there is none."""
    cache = tensors_of(answer)[1:]
    require(
        len(cache) == 2, tr("the answer should be an output and a cache, which is the pair (keys, values)")
    )
    return tensor(cache[0], tr("the keys")), tensor(cache[1], tr("the values"))


def agrees(output: Tensor, draw: Step) -> None:
    """Require the output that is due."""
    agree(output, compute_output(draw))


@check(points=0.5, given=[steps(), steps(past=0)], shape_only=True)
def answers_with_output_and_cache(candidate: Candidate, draw: Step) -> None:
    """the answer is (output, (keys, values)): (B, H, T, D), and (B, G, P + T, D) twice

    fr: la réponse est (sortie, (clés, valeurs)) : (B, H, T, D), et deux fois (B, G, P + T, D)
    """
    answer = candidate(*draw.arguments)
    shaped(output_in(answer), tuple(draw.q.shape))
    batch, groups, new, width = draw.k.shape
    for part, says in zip(cache_of(answer), (tr("the keys"), tr("the values")), strict=True):
        shaped(part, (batch, groups, draw.past + new, width), says)


@check(points=13, given=steps(), answer=compute_output, core=True)
def continues_from_a_cache(candidate: Candidate, draw: Step, answer: Target) -> None:
    """behind a cache, new positions attend to it, to themselves and to each other's past

    fr: derrière un cache, les nouvelles positions prêtent attention au cache, à elles-mêmes et à leur passé
    """
    agree(output_of(candidate, draw), answer)


begins_a_sequence = function_checks.answers_the_smallest_sizes(
    points=2,
    given=[steps(past=0)],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
    says="""without a cache, the new positions are the first of a sequence

    fr: sans cache, les nouvelles positions sont les premières d'une séquence
    """,
)
takes_one_token_at_a_time = function_checks.answers_the_smallest_sizes(
    points=2,
    given=[steps(new=1)],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
    says="""one new position sees the whole cache and itself

    fr: une seule nouvelle position voit tout le cache et elle-même
    """,
)


@check(points=4, given=steps(), answer=compute_all, compares_with_itself=True)
def returns_the_longer_cache(candidate: Candidate, draw: Step, answers: tuple[Target, ...]) -> None:
    """the cache that comes back is the one that came in, and the new keys, turned, and values behind it

    fr: le cache renvoyé est celui qui est entré, suivi des nouvelles clés, tournées, et des nouvelles valeurs
    """
    answer = candidate(*draw.arguments)
    keys, values = cache_of(answer)
    due, due_keys, due_values = answers
    agree(values, due_values, value_name=tr("the values"))
    shaped(keys, tuple(draw.k.shape[:2]) + tuple(due_keys.exact.shape[2:]), tr("the keys"))
    alike(keys[:, :, : draw.past], draw.tensors[3], tr("the keys that were in the cache"))
    # Where the output is another, the new keys may be turned in another way, which the output shows.
    if is_near(output_in(answer), due):
        agree(keys, due_keys, value_name=tr("the keys"))


def in_steps(candidate: Candidate, draw: Step, *lengths: int) -> Tensor:
    """The outputs of a sequence that is handed over in pieces, each with the cache of the one before."""
    outputs, cache = list[Tensor](), list[Cache]()
    for piece in zip(*(part.split(lengths, 2) for part in (draw.q, draw.k, draw.v)), strict=True):
        answer = candidate(*(part.contiguous() for part in piece), *cache)
        output = output_in(answer)
        shaped(output, tuple(piece[0].shape))
        outputs.append(output)
        cache = [cache_of(answer)]
    return torch.cat(outputs, 2)


@check(points=3.5, given=steps(new=5, past=0))
def steps_equal_the_whole(candidate: Candidate, draw: Step) -> None:
    """a sequence in steps, or its beginning at once and then one by one, has the outputs of the whole

    fr: une séquence pas à pas, ou son début d'un coup puis un par un, reçoit les sorties du tout
    """
    whole = output_of(candidate, draw)
    alike(in_steps(candidate, draw, 1, 1, 1, 1, 1), whole, tr("the output one by one"))
    alike(in_steps(candidate, draw, 3, 1, 1), whole, tr("the output of three at once, then one by one,"))
    alike(in_steps(candidate, draw, 2, 3), whole, tr("the output of two at once, then three,"))


@check(points=3, given=steps(new=3, past=0))
def begins_each_sequence_anew(candidate: Candidate, draw: Step) -> None:
    """a sequence after another one has the outputs that it has alone: nothing is remembered

    fr: une séquence après une autre reçoit les mêmes sorties que seule : rien n'est retenu
    """
    other = step_of((*draw.q.shape[:2], draw.k.shape[1], 2, 0, draw.q.shape[3]), draw.seed + 9, draw.q.dtype)
    first = in_steps(candidate, draw, 2, 1)
    output_of(candidate, other)
    alike(in_steps(candidate, draw, 2, 1), first, tr("the output after another sequence"))
    in_steps(candidate, draw, 1, 1, 1)
    alike(output_of(candidate, draw), first, tr("the output of the whole after the same in steps"))


@check(points=0.5, given=steps())
def treats_sequences_apart(candidate: Candidate, draw: Step) -> None:
    """each sequence of a batch is answered as if it were alone, with its own cache

    fr: chaque séquence d'un lot reçoit la même réponse que seule, avec son propre cache
    """
    output = output_of(candidate, draw)
    for n in range(len(output)):
        alone = Step(*(value[n : n + 1].contiguous() for value in draw.tensors), seed=draw.seed)
        alike(output_of(candidate, alone), output[n : n + 1], tr("a sequence alone"))


answers_the_smallest_sizes = function_checks.answers_the_smallest_sizes(
    points=0.5,
    given=[steps(corner=corner) for corner in ("num_heads", "num_kv_heads", AS_MANY)],
    output_of=output_of,
    agrees=agrees,
    usual=lambda seed: diagnostic_draws(seed),
)
computes_in_double_precision = function_checks.computes_in_double_precision(
    points=0.5, given=steps(dtype=torch.float64), answer=compute_output, output_of=output_of
)


def large(name: str, size: int, seed: int) -> Step:
    """A step in which one size is large."""
    shape = {"B": 2, "H": 4, "G": 2, "T": 2, "P": 3, "D": 4} | {name: size}
    if name in "HG":
        shape |= {"H": 2 * size, "G": size} if name == "G" else {"H": 2 * size}
    shape["D"] += shape["D"] % 2
    return step_of([*shape.values()], seed, torch.float32)


answers_extreme_sizes = function_checks.answers_extreme_sizes(
    points=0.5,
    answer=compute_output,
    output_of=output_of,
    usual=lambda seed: step_of((2, 6, 3, 2, 3, 4), seed, torch.float32),
    fixed=[lambda seed: step_of((4, 4, 4, 4, 4, 4), seed, torch.float32)],
    stretched=[partial(large, name) for name in "BHGTPD"],
)


@check(points=0.5, given=steps(), on_its_word=True)
def leaves_its_arguments_alone(candidate: Candidate, draw: Step) -> str | None:
    """q, k, v and the cache keep their values, and the second call answers as the first

    fr: q, k, v et le cache gardent leurs valeurs, et le second appel répond comme le premier
    """
    call = candidate.observed_call(*draw.arguments)
    names = ("q", "k", "v", tr("the keys that were in the cache"), tr("the values that were in the cache"))
    for name, before, after in zip(names, draw.tensors, tensors_of(tuple(call.args)), strict=False):
        same(after, before, tr("{name} after the call", name=name))
    first, second = (output_in(answer) for answer in (call.answer, candidate(*draw.arguments)))
    alike(second, first, tr("the output of the second call"))
    return None if call.random_state_kept else tr(properties.RANDOM)


def attend_to_the_cache(q: Tensor, k: Tensor, v: Tensor, cache: Cache) -> Tensor:
    """The output of a measured call."""
    return compute(q, k, v, *cache)[0]


@check(
    points=8,
    grows_as=Growth(
        "mask_of_all_pairs", "copied_position_by_position", products=partial(flops_of_attention, 1)
    ),
    answer=attend_to_the_cache,
)
def costs_no_more_than_its_past(length: int, width: int) -> Timed:
    """the time and the peak memory of one new position grow as S, the length of the cache, and not as S x S

    fr: le temps et le pic de mémoire d'une nouvelle position croissent comme S, la longueur du cache, et non
    comme S x S
    """
    return Timed((*[(1, 1, 1, width)] * 3, ((1, 1, length, width),) * 2))


def _keep(draw: Step, place: int, candidate: Candidate) -> Any:
    return cache_of(candidate(*draw.arguments))[place]


def _begin_twice(draw: Step, candidate: Candidate) -> Any:
    in_steps(candidate, draw, 1, 1, 1)
    return output_of(candidate, draw)


def diagnostic_draws(seed: int) -> list[Any]:
    """Draws of fixed sizes in float64 that tell the known mistakes apart."""
    shapes = [
        (3, 6, 2, 4, 5, 8),
        (3, 6, 2, 1, 5, 8),
        (3, 6, 2, 5, 0, 8),
        (2, 6, 3, 2, 7, 4),
        (2, 4, 4, 3, 2, 6),
        (1, 4, 1, 2, 3, 2),
    ]
    draws = [step_of(shape, seed + 10 * n) for n, shape in enumerate(shapes)]
    whole = step_of((2, 6, 3, 3, 0, 4), seed + 99)
    return [
        *draws,
        *(BehaviourTrial(partial(_keep, draws[0], place)) for place in (0, 1)),
        BehaviourTrial(partial(_begin_twice, whole)),
    ]


options = Options(diagnostic_draws=diagnostic_draws)
