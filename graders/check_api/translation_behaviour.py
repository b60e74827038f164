"""How a model with an encoder and a decoder behaves, whatever its architecture: facts, each a short text.

As in `language_model_behaviour`: the facts are the same for every right model.
"""

import itertools
import math
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from graders.check_api.answer_form import form_of
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import Violation, tensor
from graders.check_api.choice_by_content import pairs_with_readers, translator_chooses
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.sentence_pairs import (
    Pairs,
    Translator,
    find_shared_layers,
    looks,
    memory_influences,
    paired,
    source_influences,
    target_influences,
)
from graders.check_api.strategies.tensors import normal
from graders.check_api.strategies.token_ids import are_probabilities, moves

CONFIG = {"src_vocab": 11, "tgt_vocab": 13, "embed_dim": 24, "num_heads": 3, "num_layers": 1, "max_len": 6}
BATCH, SOURCE, TARGET = 2, 4, 5
DROPOUT = 0.5


def translation_behaviours(seed: int) -> list[BehaviourTrial]:
    """A trial for each fact. Those that tell most mistakes apart come first."""
    facts = (
        _forms, _target_seen, _source_seen, _masking, _sizes, _parts, _memory_seen, _looks, _orders,
        _lengths, _learning, _dropping, _apart_in_a_batch, _scores, _repeated, _layers, _choosing,
    )  # fmt: skip
    return [
        BehaviourTrial(partial(fact, seed=seed + number), aside=fact is _dropping)
        for number, fact in enumerate(facts)
    ]


def _pair(seed: int, batch: int = BATCH, source: int = SOURCE, target: int = TARGET, **changes: int) -> Pairs:
    return paired({**CONFIG, **changes}, batch, source, target, seed)


def _told(value: Callable[[], Any]) -> str:
    try:
        return str(value())
    except Raised:
        return "raises"
    except Violation:
        return "no answer"


def _bits(seen: Tensor) -> str:
    return " ".join("".join(str(int(bit)) for bit in row) for row in seen.tolist())


def _forms(candidate: Candidate, seed: int) -> str:
    """The form of the answers of forward and encode."""
    draw = _pair(seed)
    translator = Translator(candidate, draw)
    whole = _told(lambda: form_of(translator.module(*draw.arguments)))
    encode = _told(lambda: form_of(candidate.method_of(translator.module, "encode")(draw.src)))
    return f"{whole}; {encode}"


def _target_seen(candidate: Candidate, seed: int) -> str:
    """Which logits see which positions of the target, with one layer and with two."""
    one, two = (_pair(seed, batch=1, num_layers=layers) for layers in (1, 2))
    make = cache(partial(Translator, candidate, one))
    facts = (
        lambda: _bits(target_influences(make(), one)),
        lambda: _bits(target_influences(Translator(candidate, two), two)),
        lambda: bool(make()(one.src, one.tgt).isfinite().all()),
    )
    return "; ".join(map(_told, facts))


def _source_seen(candidate: Candidate, seed: int) -> str:
    """Which logits see which positions of the source."""
    draw = _pair(seed, batch=1)
    return _told(lambda: _bits(source_influences(Translator(candidate, draw), draw)))


def _memory_seen(candidate: Candidate, seed: int) -> str:
    """Which positions of the memory see which positions of the source."""
    draw = _pair(seed, batch=1)
    return _told(lambda: _bits(memory_influences(Translator(candidate, draw), draw)))


def _looks(candidate: Candidate, seed: int) -> str:
    """Which logits look at which positions of the memory."""
    draw = _pair(seed, batch=1)
    return _told(lambda: _bits(looks(Translator(candidate, draw), draw)))


def _masking(candidate: Candidate, seed: int) -> str:
    """Whether a hidden word has an influence, whether one beside it has, and whether the mask has.

    For the whole, for the memory elsewhere, and for the decoder with a memory that was made without a mask.
    """
    draw = _pair(seed, batch=1)
    hidden = torch.tensor([False, False, True, False])[None, None, None]
    translator = Translator(candidate, draw)
    changes = [(draw.src + (torch.arange(SOURCE) == place)) % CONFIG["src_vocab"] for place in (2, 1)]

    def whole() -> str:
        before, free = translator(draw.src, draw.tgt, hidden), translator(draw.src, draw.tgt)
        after = [translator(changed, draw.tgt, hidden) for changed in changes]
        return "".join(str(int(moves(before, other))) for other in (*after, free))

    def memory() -> str:
        before, *after = (translator.encode(src, hidden)[:, [0, 3]] for src in (draw.src, *changes))
        return "".join(str(int(moves(before, other))) for other in after)

    def decoder() -> str:
        memory = translator.encode(draw.src)
        other = memory.clone()
        other[:, 2] += normal(memory.shape[-1], seed=seed)
        return str(int(moves(*(translator.decode(draw.tgt, m, hidden) for m in (memory, other)))))

    return " ".join(map(_told, (whole, memory, decoder)))


def _parts(candidate: Candidate, seed: int) -> str:
    """Whether encode and then decode give what forward gives, and the first positions alone the same."""
    draw = _pair(seed)
    translator = Translator(candidate, draw)

    def apart() -> str:
        whole, memory = translator(draw.src, draw.tgt), translator.encode(draw.src)
        same = not moves(whole, translator.decode(draw.tgt, memory))
        first = translator.decode(draw.tgt[:, :2].contiguous(), memory)
        return f"{same} {not moves(whole[:, :2], first)}"

    return _told(apart)


def _orders(candidate: Candidate, seed: int) -> str:
    """Whether the last logits depend on the order of the source, and on that of the target; one layer."""
    draw = _pair(seed)
    src, tgt = draw.src.clone(), draw.tgt.clone()
    src[:, :2], tgt[:, :2] = torch.tensor([1, 2]), torch.tensor([1, 2])
    translator = Translator(candidate, draw)
    swapped = [[1, 0, *range(2, n)] for n in (SOURCE, TARGET)]

    def knows() -> str:
        before = translator(src, tgt)[:, -1]
        others = translator(src[:, swapped[0]], tgt)[:, -1], translator(src, tgt[:, swapped[1]])[:, -1]
        return " ".join(str(moves(before, other)) for other in others)

    return _told(knows)


def _lengths(candidate: Candidate, seed: int) -> str:
    """Whether it answers sources and targets of the lengths 1 and max_len."""
    most = CONFIG["max_len"]
    draws = [_pair(seed, source=s, target=t) for s, t in ((1, 1), (most, 2), (2, most))]
    make = cache(partial(Translator, candidate, draws[0]))

    def answered(draw: Pairs) -> tuple[int, ...]:
        return tuple(make()(draw.src, draw.tgt).shape)

    return " ".join(_told(partial(answered, draw)) for draw in draws)


def _sizes(candidate: Candidate, seed: int) -> str:
    """Whether parameters increase with layers and width, and whether layers and heads have an effect."""

    def count(**changes: int) -> int:
        shapes = candidate.construct(**{**CONFIG, **changes}).shapes()
        return sum(math.prod(shape) for shape in shapes.values())

    def grows() -> str:
        layers = [count(num_layers=n) for n in (1, 2, 3)]
        widths = [layers[0], count(embed_dim=36)]
        return " ".join(str(all(a < b for a, b in itertools.pairwise(c))) for c in (layers, widths))

    def matters(**changes: int) -> str:
        draw = _pair(seed)
        both = [Translator(candidate, draw), Translator(candidate, draw, **changes)]
        if both[0].module.shapes() != both[1].module.shapes():
            return "used"
        return "used" if moves(*(t(draw.src, draw.tgt) for t in both)) else "not used"

    heads = partial(matters, num_heads=1)
    return f"{_told(grows)}, layers: {_told(partial(matters, num_layers=2))}, heads: {_told(heads)}"


def _learning(candidate: Candidate, seed: int) -> str:
    """Which parameters get no gradient from the logits: all, some as long as a table, or other ones."""
    draw = _pair(seed, num_layers=2)

    def unreached() -> str:
        module = Translator(candidate, draw).module
        gradients = module.gradients(draw.src, draw.tgt, upstream=[torch.ones(draw.shape)]).parameters
        shapes = [module.shapes()[name] for name, gradient in gradients.items() if gradient is None]
        if shapes and len(shapes) == len(gradients):
            return "nothing is reached"
        tables = [str(any(CONFIG[name] in shape for shape in shapes)) for name in ("src_vocab", "tgt_vocab")]
        return f"{bool(shapes)} {' '.join(tables)}"

    return _told(unreached)


def _dropping(candidate: Candidate, seed: int) -> str:
    """Whether dropout acts in evaluation and in training, without dropout and with it."""
    draw = _pair(seed)
    make = cache(lambda rate: Translator(candidate, draw, dropout=rate))

    def acts(rate: float, training: bool) -> str:
        translator = make(rate)
        translator.module.train(training)
        return str(int(not torch.equal(*(translator(draw.src, draw.tgt) for _ in range(2)))))

    cases = itertools.product((0.0, DROPOUT), (False, True))
    return " ".join(_told(partial(acts, *case)) for case in cases)


def _apart_in_a_batch(candidate: Candidate, seed: int) -> str:
    """Whether the other sequences of a batch change the logits of one."""
    draw = _pair(seed, batch=3)
    translator = Translator(candidate, draw)
    return _told(
        lambda: moves(
            translator(draw.src, draw.tgt)[1:2],
            translator(draw.src[1:2].contiguous(), draw.tgt[1:2].contiguous()),
        )
    )


def _scores(candidate: Candidate, seed: int) -> str:
    """Whether the logits are probabilities instead."""
    draw = _pair(seed)
    return _told(lambda: are_probabilities(Translator(candidate, draw)(draw.src, draw.tgt)))


def _choosing(candidate: Candidate, seed: int) -> str:
    """Whether which ids count depends on the id that looks at them: target, target and source, source."""
    return " ".join(map(_told, translator_chooses(candidate, pairs_with_readers(seed)).values()))


def _layers(candidate: Candidate, seed: int) -> str:
    """In which half further layers have no weights of their own."""
    return _told(lambda: find_shared_layers(candidate, _pair(seed, num_layers=2)) or "none")


def _repeated(candidate: Candidate, seed: int) -> str:
    """Whether the arguments keep their values, and whether a second call gives the same answer."""
    draw = _pair(seed)
    module = Translator(candidate, draw).module

    def kept() -> str:
        call = module.observed_call(draw.src, draw.tgt)
        pairs = zip((draw.src, draw.tgt), call.args, strict=True)
        same = [torch.equal(tensor(after), before) for before, after in pairs]
        first, second = first_tensor(call.answer), first_tensor(module(draw.src, draw.tgt))
        return " ".join(map(str, (*same, first.shape == second.shape and not moves(first, second))))

    return _told(kept)
