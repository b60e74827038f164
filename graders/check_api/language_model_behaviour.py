"""What can be seen of a language model whatever its architecture: facts, each a short text.

Where the architecture is free, two models need not compute the same to make the same mistake. So a mistake is
recognised by what it does: who sees whom, what the loss is the loss of, what reaches what. Facts are the same
for every right model; they are looked at with mild weights of a seed, on sizes that all differ.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from graders.check_api.answer_form import form_of
from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import Candidate, Raised, tensor
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.module_inputs import ids
from graders.check_api.strategies.token_ids import Text, influences, logits_for, moves, probabilities

AGREES = 1e-4  # of a loss, on the same scale
CONFIG = {"vocab_size": 13, "block_size": 6, "n_embd": 24, "n_head": 3, "n_layer": 1}
BATCH, LENGTH = 2, 5
RATE = 0.5  # of dropout


def language_model_behaviours(seed: int) -> list[BehaviourTrial]:
    """All facts, those first by which most mistakes differ."""
    facts = (
        _forms, _loss, _visible, _lengths, _sizes, _learning, _dropping, _order, _apart_in_a_batch,
        _scores, _repeated,
    )  # fmt: skip
    return [BehaviourTrial(partial(fact, seed=seed + number)) for number, fact in enumerate(facts)]


def _text(seed: int, batch: int = BATCH, length: int = LENGTH, **changes: Any) -> Text:
    config = {**CONFIG, **changes}
    words = ids(batch, length, vocabulary=config["vocab_size"], seed=seed)
    return Text(config, words, ids(batch, length, vocabulary=config["vocab_size"], seed=seed + 1), seed=seed)


def _logits(candidate: Candidate, draw: Text) -> Tensor:
    return logits_for(
        candidate.with_random_weights(draw.seed, **draw.config), draw.idx, draw.config["vocab_size"]
    )


def _forms(candidate: Candidate, seed: int) -> str:
    """What comes back without targets, and with them."""
    draw = _text(seed)
    module = candidate.with_random_weights(seed, **draw.config)
    found = []
    for one in (replace(draw, targets=None), draw):
        try:
            found.append(form_of(one.read(module(*one.arguments))))
        except Raised:
            found.append("raises")
    return "; ".join(found)


def _visible(candidate: Candidate, seed: int) -> str:
    """Who sees whom in one layer and in two, row by row; n where there is no number."""
    found = []
    for layers in (1, 2):
        draw = _text(seed, 1, CONFIG["block_size"] - 2, n_layer=layers)
        module = candidate.with_random_weights(seed, **draw.config)
        seen = influences(module, draw.idx[0], CONFIG["vocab_size"]).tolist()
        numbers = torch.isfinite(_logits(candidate, draw)[0]).all(-1).tolist()
        rows = zip(seen, numbers, strict=True)
        found.append(" ".join("".join(str(int(s)) for s in row) if n else "n" for row, n in rows))
    return "; ".join(found)


def _lengths(candidate: Candidate, seed: int) -> str:
    """Per length up to the whole block: whether a beginning is answered as within the whole; r: it raises."""
    draw = _text(seed, length=CONFIG["block_size"])
    module = candidate.with_random_weights(seed, **draw.config)

    def told(length: int) -> Tensor | None:
        try:
            return logits_for(module, draw.idx[:, :length].contiguous(), CONFIG["vocab_size"])
        except Raised:
            return None

    whole = told(CONFIG["block_size"])
    found = [told(length) for length in range(1, CONFIG["block_size"])]
    marks = ["r" if one is None else "?" if whole is None else _same(one, whole) for one in found]
    return "".join(marks) + ("r" if whole is None else "")


def _order(candidate: Candidate, seed: int) -> str:
    """Whether the last logits know in which order earlier ids came; in one layer no mask tells them."""
    draw = _text(seed)
    words = draw.idx.clone()
    words[:, 0], words[:, 1] = 1, 2
    module = candidate.with_random_weights(seed, **draw.config)
    before, after = (
        logits_for(module, one, CONFIG["vocab_size"])[:, -1] for one in (words, words[:, [1, 0, 2, 3, 4]])
    )
    return str(moves(before, after))


def _loss(candidate: Candidate, seed: int) -> str:
    """What the loss is the loss of, told from the logits that come without targets."""
    draw = _text(seed, batch=BATCH + 1)
    assert draw.targets is not None
    draw.targets[0, 0], draw.targets[-1, -1] = 0, CONFIG["vocab_size"] - 1
    module = candidate.with_random_weights(seed, **draw.config)
    answer = module(*draw.arguments)
    pair = answer if isinstance(answer, tuple | list) else (answer,)
    losses = [one for one in pair if isinstance(one, Tensor) and one.dim() == 0]
    if not losses:
        losses = [torch.tensor(one) for one in pair if isinstance(one, float)]
    logits = logits_for(module, draw.idx, CONFIG["vocab_size"])
    kinds = dict(_losses(logits.detach().double(), draw.targets, draw.idx))
    fitting = [name for name, value in kinds.items() if losses and _close(losses[0], value)]
    return ", ".join(fitting) or "none"


def _losses(logits: Tensor, targets: Tensor, words: Tensor) -> Iterator[tuple[str, Tensor]]:
    """Every loss that somebody may have meant."""
    batch, length, vocabulary = logits.shape
    flat, due = logits.flatten(0, 1), targets.flatten()
    mean = functional.cross_entropy(flat, due)
    yield "mean", mean
    yield "sum", mean * len(due)
    yield "per sequence", mean * length
    yield "bits", mean / math.log(2)
    yield "negative", -mean
    yield "of probabilities", functional.cross_entropy(flat.softmax(-1), due)
    yield "of scores", functional.nll_loss(flat, due)
    yield "over positions", functional.nll_loss(flat.log_softmax(0), due)
    yield "in another shape", functional.cross_entropy(logits.reshape(batch, vocabulary, length), targets)
    yield "shifted", functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten())
    yield "of the last", functional.cross_entropy(logits[:, -1], targets[:, -1])
    yield "without id 0", functional.cross_entropy(flat, due, ignore_index=0)
    yield "of the input", functional.cross_entropy(flat, words.flatten())


def _sizes(candidate: Candidate, seed: int) -> str:
    """Whether the number of parameters grows with layers and width, and whether layers and heads matter."""
    layers = [_count(candidate, n_layer=n) for n in (1, 2, 3)]
    widths = [_count(candidate, n_embd=n) for n in (24, 36)]
    draw = _text(seed)

    def matters(**changes: int) -> str:
        other = replace(draw, config={**draw.config, **changes})
        made = [candidate.with_random_weights(seed, **one.config) for one in (draw, other)]
        if made[0].shapes() != made[1].shapes():
            return "grows"
        logits = [logits_for(module, draw.idx, CONFIG["vocab_size"]) for module in made]
        return "matters" if moves(*logits) else "does not matter"

    grows = (str(all(a < b for a, b in itertools.pairwise(some))) for some in (layers, widths))
    heads = matters(n_head=1)
    shown = "heard" if heads in ("grows", "matters") else "not heard"
    return f"{' '.join(grows)}, layers: {matters(n_layer=2)}, heads: {shown}"


def _count(candidate: Candidate, **changes: int) -> int:
    made = candidate.construct(**{**CONFIG, **changes})
    return sum(math.prod(shape) for shape in made.shapes().values())


def _learning(candidate: Candidate, seed: int) -> str:
    """What no gradient of the loss reaches, and whether one of the logits reaches anything."""
    draw = _text(seed, n_layer=2)
    module = candidate.with_random_weights(seed, **draw.config)
    found = []
    for arguments, upstream in (
        (draw.arguments, [None, torch.ones(())]),
        (draw.alone, [torch.ones(draw.shape)]),
    ):
        try:
            reached = module.gradients(*arguments, upstream=upstream).parameters
        except Raised:
            found.append("raises")
            continue
        left = [module.shapes()[name] for name, slope in reached.items() if slope is None]
        if left and len(left) == len(reached):
            found.append("nothing is reached")
        else:
            sizes = [str(any(CONFIG[n] in shape for shape in left)) for n in ("vocab_size", "block_size")]
            found.append(f"{bool(left)} {' '.join(sizes)}")
    return "; ".join(found)


def _dropping(candidate: Candidate, seed: int) -> str:
    """Whether dropout acts in evaluation and in training, at a rate and at none; in two layers."""
    draw, found = _text(seed, n_layer=2), []
    for rate in (0.0, RATE):
        module = candidate.with_random_weights(seed, **draw.config, dropout=rate)
        for mode in (False, True):
            module.train(mode)
            first, second = (logits_for(module, draw.idx, CONFIG["vocab_size"]) for _ in range(2))
            found.append(str(int(not torch.equal(first, second))))
    return "".join(found)


def _apart_in_a_batch(candidate: Candidate, seed: int) -> str:
    """Whether a sequence is answered as if it were alone."""
    draw = _text(seed, batch=3)
    module = candidate.with_random_weights(seed, **draw.config)
    whole = logits_for(module, draw.idx, CONFIG["vocab_size"])
    alone = logits_for(module, draw.idx[:1].contiguous(), CONFIG["vocab_size"])
    return str(moves(whole[:1], alone))


def _scores(candidate: Candidate, seed: int) -> str:
    """Whether these are probabilities."""
    return str(probabilities(_logits(candidate, _text(seed))))


def _repeated(candidate: Candidate, seed: int) -> str:
    """Whether the arguments keep their values, and a second call answers the same."""
    draw = _text(seed)
    module = candidate.with_random_weights(seed, **draw.config)
    look = module.observed_call(*draw.arguments)
    kept = (
        torch.equal(tensor(after), before) for before, after in zip(draw.arguments, look.args, strict=True)
    )
    first, second = first_tensor(look.answer), first_tensor(module(*draw.arguments))
    return " ".join(map(str, (*kept, first.shape == second.shape and not moves(first, second))))


def _same(part: Tensor, whole: Tensor) -> str:
    return "0" if moves(whole[:, : part.shape[1]], part) else "1"


def _close(mine: Tensor, theirs: Tensor) -> bool:
    return bool((mine.detach().double() - theirs).abs() <= AGREES * max(1.0, float(theirs.abs())))
