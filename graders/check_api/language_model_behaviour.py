"""How a language model behaves, whatever its architecture: facts, each a short text.

Where the architecture is free, two models can make the same mistake and still compute different values. So a
mistake is recognised by its effects: which positions see which, what the loss is computed from, which
parameters gradients reach. The facts are the same for every right model. They are observed with small random
weights from a seed, at sizes that are all different.
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
from graders.check_api.behaviour import RAISES, BehaviourTrial
from graders.check_api.candidate import Candidate, Raised
from graders.check_api.check import tensor
from graders.check_api.choice_by_content import language_model_chooses, text_with_readers
from graders.check_api.compare import Violation
from graders.check_api.properties import first_tensor, parts
from graders.check_api.strategies.tensors import ids
from graders.check_api.strategies.token_ids import Text, are_probabilities, influences, logits_for, moves

LOSS_TOLERANCE = 1e-4  # relative, and absolute for losses below 1
CONFIG = {"vocab_size": 13, "block_size": 6, "n_embd": 24, "n_head": 3, "n_layer": 1}
BATCH, LENGTH = 2, 5
DROPOUT = 0.5


def language_model_behaviours(seed: int) -> list[BehaviourTrial]:
    """A trial for each fact. Those that tell most mistakes apart come first."""
    facts = (
        _forms, _loss, _visible, _lengths, _sizes, _learning, _dropping, _order, _apart_in_a_batch,
        _scores, _repeated, _choosing,
    )  # fmt: skip
    return [
        BehaviourTrial(partial(fact, seed=seed + number), aside=fact is _dropping)
        for number, fact in enumerate(facts)
    ]


def _text(seed: int, batch: int = BATCH, length: int = LENGTH, **changes: Any) -> Text:
    config = {**CONFIG, **changes}
    words = ids(batch, length, vocabulary=config["vocab_size"], seed=seed)
    return Text(config, words, ids(batch, length, vocabulary=config["vocab_size"], seed=seed + 1), seed=seed)


def _logits(candidate: Candidate, draw: Text) -> Tensor:
    return logits_for(
        candidate.with_random_weights(draw.seed, **draw.config), draw.idx, draw.config["vocab_size"]
    )


def _forms(candidate: Candidate, seed: int) -> str:
    """The form of the answer without targets and with them."""
    draw = _text(seed)
    module = candidate.with_random_weights(seed, **draw.config)
    forms = []
    for text in (replace(draw, targets=None), draw):
        try:
            forms.append(form_of(text.normalise(module(*text.arguments))))
        except Raised:
            forms.append("raises")
    return "; ".join(forms)


def _visible(candidate: Candidate, seed: int) -> str:
    """Which positions see which, with one layer and with two, row by row; "n": not finite."""
    visible = []
    for layers in (1, 2):
        draw = _text(seed, 1, CONFIG["block_size"] - 2, n_layer=layers)
        module = candidate.with_random_weights(seed, **draw.config)
        influence = influences(module, draw.idx[0], CONFIG["vocab_size"]).tolist()
        logits = logits_for(module, draw.idx, CONFIG["vocab_size"])
        finite = torch.isfinite(logits[0]).all(-1).tolist()
        rows = zip(influence, finite, strict=True)
        visible.append(" ".join("".join(str(int(s)) for s in row) if ok else "n" for row, ok in rows))
    return "; ".join(visible)


def _lengths(candidate: Candidate, seed: int) -> str:
    """For each length up to the block: 1 if the first positions alone give the same logits as in the whole.

    0 if they do not, "r" where the module raises or gives no logits, "?" where it raises for the whole;
    RAISES where it does at all lengths.
    """
    draw = _text(seed, length=CONFIG["block_size"])
    module = candidate.with_random_weights(seed, **draw.config)

    def logits_of_first(length: int) -> Tensor | None:
        try:
            return logits_for(module, draw.idx[:, :length].contiguous(), CONFIG["vocab_size"])
        except Raised:
            return None
        except Violation:  # one position, to which the vectors of all positions were added
            if length == CONFIG["block_size"]:
                raise
            return None

    whole = logits_of_first(CONFIG["block_size"])
    parts = [logits_of_first(length) for length in range(1, CONFIG["block_size"])]
    if whole is None and all(part is None for part in parts):
        return RAISES
    marks = ["r" if part is None else "?" if whole is None else _same(part, whole) for part in parts]
    return "".join(marks) + ("r" if whole is None else "")


def _order(candidate: Candidate, seed: int) -> str:
    """Whether the last logits depend on the order of earlier ids.

    With one layer the mask alone gives no information about the order.
    """
    draw = _text(seed)
    words = draw.idx.clone()
    words[:, 0], words[:, 1] = 1, 2
    module = candidate.with_random_weights(seed, **draw.config)
    before, after = (
        logits_for(module, order, CONFIG["vocab_size"])[:, -1] for order in (words, words[:, [1, 0, 2, 3, 4]])
    )
    return str(moves(before, after))


def _choosing(candidate: Candidate, seed: int) -> str:
    """Whether which earlier ids count depends on the last one; "None" where too few are seen."""
    return str(language_model_chooses(candidate, text_with_readers(seed)))


def _loss(candidate: Candidate, seed: int) -> str:
    """What the loss is computed from, found by comparing it with losses of the logits without targets."""
    draw = _text(seed, batch=BATCH + 1)
    assert draw.targets is not None
    draw.targets[0, 0], draw.targets[-1, -1] = 0, CONFIG["vocab_size"] - 1
    module = candidate.with_random_weights(seed, **draw.config)
    answer = module(*draw.arguments)
    pair = parts(answer)
    losses = [element for element in pair if isinstance(element, Tensor) and element.dim() == 0]
    if not losses:
        losses = [torch.tensor(element) for element in pair if isinstance(element, float)]
    logits = logits_for(module, draw.idx, CONFIG["vocab_size"])
    kinds = dict(_losses(logits.detach().double(), draw.targets, draw.idx))
    fitting = [name for name, value in kinds.items() if losses and _close(losses[0], value)]
    return ", ".join(fitting) or "none"


def _losses(logits: Tensor, targets: Tensor, words: Tensor) -> Iterator[tuple[str, Tensor]]:
    """The right loss and the wrong ones that students compute, by name."""
    batch, length, vocabulary = logits.shape
    flat, flat_targets = logits.flatten(0, 1), targets.flatten()
    mean = functional.cross_entropy(flat, flat_targets)
    yield "mean", mean
    yield "sum", mean * len(flat_targets)
    yield "per sequence", mean * length
    yield "bits", mean / math.log(2)
    yield "negative", -mean
    yield "of probabilities", functional.cross_entropy(flat.softmax(-1), flat_targets)
    yield "of scores", functional.nll_loss(flat, flat_targets)
    yield "over positions", functional.nll_loss(flat.log_softmax(0), flat_targets)
    yield "in another shape", functional.cross_entropy(logits.reshape(batch, vocabulary, length), targets)
    yield "shifted", functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets[:, 1:].flatten())
    yield "of the last", functional.cross_entropy(logits[:, -1], targets[:, -1])
    yield "without id 0", functional.cross_entropy(flat, flat_targets, ignore_index=0)
    yield "of the input", functional.cross_entropy(flat, words.flatten())


def _sizes(candidate: Candidate, seed: int) -> str:
    """Whether parameters increase with layers and width, and whether layers and heads have an effect."""
    layers = [_count(candidate, n_layer=n) for n in (1, 2, 3)]
    widths = [layers[0], _count(candidate, n_embd=36)]
    draw = _text(seed)

    def matters(**changes: int) -> str:
        changed = {**draw.config, **changes}
        modules = [candidate.with_random_weights(seed, **config) for config in (draw.config, changed)]
        if modules[0].shapes() != modules[1].shapes():
            return "grows"
        logits = [logits_for(module, draw.idx, CONFIG["vocab_size"]) for module in modules]
        return "matters" if moves(*logits) else "does not matter"

    grows = (str(all(a < b for a, b in itertools.pairwise(counts))) for counts in (layers, widths))
    # Heads may change the shapes of parameters or not: both are right, so the two are told alike.
    heads = "used" if matters(n_head=1) in ("grows", "matters") else "not used"
    return f"{' '.join(grows)}, layers: {matters(n_layer=2)}, heads: {heads}"


def _count(candidate: Candidate, **changes: int) -> int:
    module = candidate.construct(**{**CONFIG, **changes})
    return sum(math.prod(shape) for shape in module.shapes().values())


def _learning(candidate: Candidate, seed: int) -> str:
    """Which parameters get no gradient: from the loss, then from the logits."""
    draw = _text(seed, n_layer=2)
    module = candidate.with_random_weights(seed, **draw.config)
    unreached = []
    for arguments, upstream in (
        (draw.arguments, [None, torch.ones(())]),
        (draw.alone, [torch.ones(draw.shape)]),
    ):
        try:
            gradients = module.gradients(*arguments, upstream=upstream).parameters
        except Raised:
            unreached.append("raises")
            continue
        shapes = [module.shapes()[name] for name, gradient in gradients.items() if gradient is None]
        if shapes and len(shapes) == len(gradients):
            unreached.append("nothing is reached")
        else:
            sizes = [str(any(CONFIG[n] in shape for shape in shapes)) for n in ("vocab_size", "block_size")]
            unreached.append(f"{bool(shapes)} {' '.join(sizes)}")
    return "; ".join(unreached)


def _dropping(candidate: Candidate, seed: int) -> str:
    """Whether dropout acts in evaluation and in training, without dropout and with it; two layers."""
    draw, acts = _text(seed, n_layer=2), []
    for rate in (0.0, DROPOUT):
        module = candidate.with_random_weights(seed, **draw.config, dropout=rate)
        for mode in (False, True):
            module.train(mode)
            first, second = (logits_for(module, draw.idx, CONFIG["vocab_size"]) for _ in range(2))
            acts.append(str(int(not torch.equal(first, second))))
    return "".join(acts)


def _apart_in_a_batch(candidate: Candidate, seed: int) -> str:
    """Whether the other sequences of a batch change the logits of one."""
    draw = _text(seed, batch=3)
    module = candidate.with_random_weights(seed, **draw.config)
    whole = logits_for(module, draw.idx, CONFIG["vocab_size"])
    alone = logits_for(module, draw.idx[:1].contiguous(), CONFIG["vocab_size"])
    return str(moves(whole[:1], alone))


def _scores(candidate: Candidate, seed: int) -> str:
    """Whether the logits are probabilities instead."""
    return str(are_probabilities(_logits(candidate, _text(seed))))


def _repeated(candidate: Candidate, seed: int) -> str:
    """Whether the arguments keep their values, and whether a second call gives the same answer."""
    draw = _text(seed)
    module = candidate.with_random_weights(seed, **draw.config)
    call = module.observed_call(*draw.arguments)
    kept = (
        torch.equal(tensor(after), before) for before, after in zip(draw.arguments, call.args, strict=True)
    )
    first, second = first_tensor(call.answer), first_tensor(module(*draw.arguments))
    return " ".join(map(str, (*kept, first.shape == second.shape and not moves(first, second))))


def _same(part: Tensor, whole: Tensor) -> str:
    return "0" if moves(whole[:, : part.shape[1]], part) else "1"


def _close(mine: Tensor, theirs: Tensor) -> bool:
    return bool((mine.detach().double() - theirs).abs() <= LOSS_TOLERANCE * max(1.0, float(theirs.abs())))
