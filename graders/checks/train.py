"""train_model(model, data, steps, batch_size, block_size, lr, seed) -> the loss of each step.

The model is a table in the box (`TableLanguageModel`), whose values the host gives and reads back. Chance
is taken away by a text with one window: then every step and every loss is known. With a learning rate of 0
nothing is learned, and each loss tells which window was drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.behaviour import BehaviourTrial
from graders.check_api.check import (
    Candidate,
    Module,
    Stretched,
    Target,
    Violation,
    agree,
    check,
    kind,
    number,
    require,
    shaped,
    targets,
    tensor,
)
from graders.check_api.compare import is_near
from graders.check_api.options import Options
from graders.check_api.statistics import are_too_few, surprising
from graders.check_api.strategies.lengths import SMALLEST
from graders.check_api.strategies.tensors import hidden, ids, normal, seeds, sizes
from graders.language import tr

BETAS, EPS = (0.9, 0.999), 1e-8  # AdamW's usual values
DECAYS = (0.01, 0.0)  # those of AdamW and of Adam
IN_TRAINING = 10.0  # added to the loss in training mode
STARTS = 40  # of windows in a text whose batches are to be told
MANY = 150  # steps in which, of STARTS windows, more than 28 come up, and none in a sixth of them
SEEDED = 8  # steps whose windows two seeds have in common once in 10^12 times
NEAR = 1e-3  # of two losses
WORDS, PERIOD = 8, 5  # of the grammar: after an id come two others, each as often


@dataclass(frozen=True, eq=False)
class Training:
    """The arguments of a training, and the table that it begins with."""

    data: Tensor
    steps: int
    batch_size: int
    block_size: int
    lr: float
    seed: int
    table: Tensor = field(metadata=hidden)

    @property
    def arguments(self) -> list[Any]:
        """The arguments of a call behind the model."""
        return [self.data, self.steps, self.batch_size, self.block_size, self.lr, self.seed]


@dataclass(frozen=True)
class Trained:
    """What a training left behind."""

    answer: Any
    model: Module
    table: Tensor
    random_state_kept: bool


def one_window(words: int, block: int, batch: int, steps: int, seed: int) -> Training:
    """A text with just one window, so that all batches are known."""
    data = ids(block + 1, vocabulary=words, seed=seed)
    return Training(data, steps, batch, block, 0.125, seed % 1000, normal(words, words, seed=seed))


def like_windows(words: int, block: int, batch: int, steps: int, seed: int) -> Training:
    """A text that repeats a window: all windows have the same neighbours, so that all batches are known."""
    data = ids(block, vocabulary=words, seed=seed).repeat(3)[: 2 * block + 1]
    return replace(one_window(words, block, batch, steps, seed), data=data)


def many_windows(block: int, batch: int, steps: int, seed: int) -> Training:
    """A text of different ids, and a learning rate of 0: the loss of a window tells where it begins."""
    length = STARTS + block
    table = normal(length, length, seed=seed, scale=0.1)
    following = torch.arange(length - 1)
    table[following, following + 1] += 3 + 2 * torch.rand(
        length - 1, generator=torch.Generator().manual_seed(seed)
    )
    return Training(torch.arange(length), steps, batch, block, 0.0, seed % 1000, table)


def grammar(steps: int, seed: int) -> Training:
    """A text of a grammar: after an id comes one of two others."""
    generator = torch.Generator().manual_seed(seed)
    data, choices = [0], torch.randint(2, (600,), generator=generator).tolist()
    for choice in choices:
        data.append((PERIOD * data[-1] + 1 + choice) % WORDS)
    return Training(torch.tensor(data), steps, 8, 8, 0.125, seed % 1000, torch.zeros(WORDS, WORDS))


def windows() -> st.SearchStrategy[Training]:
    """Trainings on windows that are alike, of a few steps."""
    return st.builds(like_windows, sizes(4, 7), sizes(4, 6), sizes(2, 3), sizes(4, 7), seeds())


def run(candidate: Candidate, draw: Training, mode: bool = True, **gains: float) -> Trained:
    """Train a new model; `mode`: whether it is in training mode before."""
    words = len(draw.table)
    model = candidate.make_layer("TableLanguageModel", {"table": draw.table}, words=words, **gains)
    model.train(mode)
    call = candidate.observed_call(model, *draw.arguments)
    table = tensor(model.parameters().get("table"), "table").detach()
    shaped(table, tuple(draw.table.shape), "table")
    return Trained(call.answer, model, table, call.random_state_kept)


def losses_of(answer: Any) -> list[float]:
    """The losses as floats, also where they stand in a tensor; their number is for another check.

    Raises:
        Violation: they are none.
    """
    if isinstance(answer, Tensor) and answer.is_floating_point():
        return [float(value) for value in answer.detach().flatten()]
    if type(answer) is float:
        return [answer]
    message = tr("the losses should be a list of floats, but are {kind}", kind=kind(answer))
    require(isinstance(answer, list | tuple), message)
    for value in answer:
        one = type(value) in (int, float) or (isinstance(value, Tensor) and value.numel() == 1)
        require(one, tr("a loss should be one number, but is {kind}", kind=kind(value)))
    return [value.item() if isinstance(value, Tensor) else float(value) for value in answer]


def compute(draw: Training) -> list[tuple[Target, ...]]:
    """For AdamW and for Adam: the loss of each step on any window, and the table after the last."""
    return [targets(partial(_descend, draw, decay), [draw.table]) for decay in DECAYS]


def _descend(draw: Training, decay: float, table: Tensor) -> list[Tensor]:
    x, y = draw.data[:-1], draw.data[1:]
    mean, square, losses = torch.zeros_like(table), torch.zeros_like(table), []
    for step in range(1, draw.steps + 1):
        logits = table[x]
        losses.append(-logits.log_softmax(-1)[torch.arange(len(x)), y].mean())
        slopes = (logits.softmax(-1) - torch.nn.functional.one_hot(y, len(table))) / len(x)
        gradient = torch.zeros_like(table).index_add(0, x, slopes.to(table.dtype))
        mean = BETAS[0] * mean + (1 - BETAS[0]) * gradient
        square = BETAS[1] * square + (1 - BETAS[1]) * gradient.square()
        root = (square / (1 - BETAS[1] ** step)).sqrt() + EPS
        table = table * (1 - draw.lr * decay) - draw.lr * mean / (1 - BETAS[0] ** step) / root
    return [torch.stack(losses), table]


def mean_loss(table: Tensor, data: Tensor) -> float:
    """The mean loss of a table on a text."""
    return float(torch.nn.functional.cross_entropy(table.double()[data[:-1]], data[1:]))


def place_windows(losses: Sequence[float], draw: Training) -> list[int]:
    """Where the window of each step begins, told by its loss; -1 where it is that of no window."""
    log_chances = draw.table.double().log_softmax(-1)
    steps = -log_chances[draw.data[:-1], draw.data[1:]]
    due = steps.unfold(0, draw.block_size, 1).mean(-1)
    found = [(due - loss).abs() for loss in losses]
    return [int(apart.argmin()) if float(apart.min()) < NEAR else -1 for apart in found]


@check(points=1, given=windows(), shape_only=True)
def gives_a_loss_for_each_step(train_model: Candidate, draw: Training) -> None:
    """the answer is a list of as many floats as there are steps

    fr: la réponse est une liste d'autant de floats qu'il y a de pas
    """
    answer = run(train_model, draw).answer
    losses = losses_of(answer)
    message = tr("the losses should be a list of floats, but are {kind}", kind=kind(answer))
    require(isinstance(answer, list | tuple | Tensor), message)
    message = tr("{steps} steps have {found} losses", steps=draw.steps, found=len(losses))
    require(len(losses) == draw.steps, message)


@check(
    points=4,
    given=windows(),
    answer=compute,
    core=True,
    stretched=[Stretched(lambda n, seed: like_windows(5, n, 2, 3, seed))],
)
def takes_the_steps_of_adamw(
    train_model: Candidate, draw: Training, answer: list[tuple[Target, ...]]
) -> None:
    """afterwards the parameters are those that so many steps of AdamW lead to, each with its own gradients

    fr: ensuite, les paramètres sont ceux auxquels mènent autant de pas d'AdamW, chacun avec ses propres
    gradients
    """
    agree(run(train_model, draw).table, *(each[1] for each in answer), value_name=tr("the model's table"))


@check(points=3.4, given=windows(), answer=compute, core=True)
def tells_the_losses_before_the_steps(
    train_model: Candidate, draw: Training, answer: list[tuple[Target, ...]]
) -> None:
    """each loss is that of its batch before the step

    fr: chaque perte est celle de son lot avant le pas
    """
    trained = run(train_model, draw)
    losses = torch.tensor(losses_of(trained.answer))
    require(len(losses) > 0, tr("{steps} steps have {found} losses", steps=draw.steps, found=0))
    # Wrong steps, or one too few, are for other checks: the first loss is known whatever the steps are.
    right = is_near(trained.table, *(each[1] for each in answer)) and len(losses) == draw.steps
    shown = len(losses) if right else 1
    due = [each[0].with_values(lambda values: values[:shown]) for each in answer]
    agree(losses[:shown], *due, value_name=tr("the losses"))
    if not right:
        other = run(train_model, replace(draw, table=-draw.table)).answer
        message = tr("the losses do not depend on the model")
        require(not torch.equal(torch.tensor(losses_of(other)), losses), message)


@check(points=2, given=st.builds(grammar, st.just(60), seeds()), draws=2)
def learns_a_grammar(train_model: Candidate, draw: Training) -> None:
    """on a text of a grammar the loss of the whole text falls most of the way to its entropy

    fr: sur un texte produit par une grammaire, la perte du texte entier descend presque jusqu'à son entropie
    """
    table = run(train_model, draw).table
    counts = torch.zeros(WORDS, WORDS).index_put(
        (draw.data[:-1], draw.data[1:]), torch.ones(1), accumulate=True
    )
    least = mean_loss((counts + 1e-9).log(), draw.data)
    before, after = (mean_loss(each, draw.data) for each in (draw.table, table))
    values = {"before": number(before), "after": number(after), "least": number(least)}
    message = tr(
        "in 60 steps the loss goes from {before} to {after}, where {least} would be the least", **values
    )
    require(after < before - 0.7 * (before - least), message)


@st.composite
def told_apart(draw: st.DrawFn) -> Training:
    """Some steps on batches of one window each, whose losses tell the windows."""
    return many_windows(draw(sizes(2, 4)), 1, draw(sizes(5, 8)), draw(seeds()))


@check(points=2, given=told_apart())
def gives_the_model_windows_and_what_follows(train_model: Candidate, draw: Training) -> None:
    """the model gets batch_size windows of the text, block_size long, and the ids that follow theirs

    fr: le modèle reçoit batch_size fenêtres du texte, longues de block_size, et les identifiants qui les
    suivent
    """
    starts = place_windows(losses_of(run(train_model, draw).answer), draw)
    message = tr("a loss is that of no window of the text: are y the ids of x one later?")
    require(bool(starts) and -1 not in starts, message)
    sized = replace(draw, batch_size=draw.block_size + 1)
    shape = losses_of(run(train_model, sized, size=1000.0).answer)
    rows, columns = _shape_of(shape[0]) if shape else (0, 0)
    values = {"found": (rows, columns), "shape": (sized.batch_size, sized.block_size)}
    message = tr("the model was given x of shape {found}, where {shape} is due", **values)
    require((rows, columns) == (sized.batch_size, sized.block_size), message)


def _shape_of(loss: float) -> tuple[int, int]:
    """The shape that a loss tells, to which 1000 (B + T / 64) are added."""
    rows = int(loss // 1000)
    return rows, round((loss / 1000 - rows) * 64)


@check(points=2, given=st.builds(many_windows, sizes(2, 3), st.just(1), st.just(MANY), seeds()), draws=2)
def draws_each_batch_anew(train_model: Candidate, draw: Training) -> None:
    """batches are drawn from the whole text, each anew

    fr: les lots sont tirés dans tout le texte, chacun à nouveau
    """
    losses = losses_of(run(train_model, draw).answer)
    require(len(losses) > MANY // 2, tr("{steps} steps have {found} losses", steps=MANY, found=len(losses)))
    others = {round(loss, 3) for loss in losses}
    require(
        len(others) > 1, tr("all steps have the same loss where nothing is learned: draw each batch anew")
    )
    starts = [start for start in place_windows(losses, draw) if start >= 0]
    if len(starts) < len(losses):
        return  # what a window and its targets are is for another check
    counts = torch.bincount(torch.tensor(starts), minlength=STARTS)
    even = torch.full((STARTS,), 1 / STARTS)
    if (cell := surprising(counts, even)) is not None:
        values = {
            "n": int(counts[cell]),
            "all": len(starts),
            "start": cell,
            "due": round(len(starts) / STARTS),
        }
        raise Violation(
            tr("of {all} windows {n} begin at {start}, where about {due} are due", **values), actual=counts
        )
    steps = {(after - before) % STARTS for before, after in pairwise(starts)}
    require(len(steps) > 1, tr("each window follows the one before: draw them at random"))
    values = {"n": len({*starts}), "starts": STARTS, "all": len(starts)}
    message = tr("of {starts} windows only {n} ever come in {all} steps: draw from the whole text", **values)
    require(not are_too_few(len({*starts}), STARTS, len(starts)), message)


@check(points=1.6, given=told_apart(), draws=3)
def follows_the_seed(train_model: Candidate, draw: Training) -> None:
    """the same seed gives the same batches, and another seed others

    fr: la même graine donne les mêmes lots, et une autre en donne d'autres
    """
    draw = replace(draw, steps=SEEDED)
    first, again, other = (
        losses_of(run(train_model, replace(draw, seed=draw.seed + n)).answer) for n in (0, 0, 1)
    )
    require(len(first) > 1, tr("{steps} steps have {found} losses", steps=SEEDED, found=len(first)))
    if len({round(loss, 3) for loss in first}) == 1:
        moved = losses_of(run(train_model, replace(draw, table=draw.table.roll(1, 0))).answer)
        require(moved != first, tr("the losses do not depend on the model"))
        return  # batches that are all the same are for another check
    require(first == again, tr("the same seed gives other losses the second time"))
    require(first != other, tr("two different seeds give the same losses"))


@check(points=1, given=windows(), draws=3)
def trains_in_training_mode(train_model: Candidate, draw: Training) -> None:
    """the model is trained in training mode, in which dropout acts, whatever its mode was before

    fr: le modèle est entraîné en mode entraînement, où le dropout agit, quel qu'ait été son mode avant
    """
    for mode in (True, False):
        plain = losses_of(run(train_model, draw, mode).answer)
        shifted = losses_of(run(train_model, draw, mode, in_training=IN_TRAINING).answer)
        by = [after - before for before, after in zip(plain, shifted, strict=False)]
        message = tr("the model is trained in evaluation mode, where dropout does not act")
        require(bool(by) and all(abs(each - IN_TRAINING) < 0.1 for each in by), message)


@check(points=0.6, given=windows(), draws=3, on_its_word=True)
def leaves_the_mode_as_it_was(train_model: Candidate, draw: Training) -> None:
    """afterwards the model is in the mode in which it was before, training or evaluation

    fr: ensuite, le modèle est dans le mode où il était avant, entraînement ou évaluation
    """
    messages = {
        True: tr("a model in training mode is afterwards in the other"),
        False: tr("a model in evaluation mode is afterwards in the other"),
    }
    for mode, message in messages.items():
        trained = run(train_model, draw, mode, in_training=IN_TRAINING)
        _require_calls(trained)
        x, y = draw.data[None, :-1], draw.data[None, 1:]
        loss = float(tensor(trained.model(x, y)[1]).detach())
        in_training = loss - mean_loss(trained.table, draw.data) > IN_TRAINING / 2
        require(in_training is mode, message)


def _require_calls(trained: Trained) -> int:
    """How many graphs of losses were alive at once; the model is required to have been asked for a loss."""
    calls, alive = tensor(trained.model(torch.zeros(0, 0, dtype=torch.int64))).tolist()
    require(calls > 0, tr("the model was never called with targets"))
    require(bool(losses_of(trained.answer)), tr("there are no losses"))
    return int(alive)


@check(points=0.6, given=windows(), draws=3, on_its_word=True)
def leaves_the_random_state_alone(train_model: Candidate, draw: Training) -> None:
    """torch's global random state is afterwards as it was before

    fr: l'état aléatoire global de torch est ensuite tel qu'il était avant
    """
    trained = run(train_model, draw)
    _require_calls(trained)
    message = tr(
        "torch's global random state is another afterwards: what is drawn next depends on the training"
    )
    require(trained.random_state_kept, message)


@check(points=0.6, given=windows(), draws=3, on_its_word=True)
def keeps_no_graph(train_model: Candidate, draw: Training) -> None:
    """no loss keeps its graph, so that memory does not grow with the steps

    fr: aucune perte ne garde son graphe, si bien que la mémoire ne croît pas avec les pas
    """
    alive = _require_calls(run(train_model, replace(draw, steps=12)))
    message = tr("after 12 steps the graphs of {n} losses are still kept: put numbers into the list", n=alive)
    require(alive <= 3, message)


@check(
    points=0.6,
    given=[
        st.builds(one_window, sizes(3, 5), st.just(block), st.just(batch), st.just(steps), seeds())
        for block, batch, steps in ((1, 2, 3), (4, 1, 3), (4, 2, 1))
    ],
    answer=compute,
    kept_because=SMALLEST,
    compares_with_itself=True,
)
def takes_one_of_each(train_model: Candidate, draw: Training, answer: list[tuple[Target, ...]]) -> None:
    """one step, a text of one window, windows of one id and batches of one window are taken as more are

    fr: un seul pas, un texte d'une seule fenêtre, des fenêtres d'un seul identifiant et des lots d'une seule
    fenêtre sont acceptés
    """
    usual = like_windows(5, 4, 2, 4, draw.seed)
    if is_near(run(train_model, usual).table, *(each[1] for each in compute(usual))):
        agree(run(train_model, draw).table, *(each[1] for each in answer), value_name=tr("the model's table"))
        return
    _require_calls(run(train_model, draw))
    losses = [
        losses_of(run(train_model, replace(draw, table=table)).answer) for table in (draw.table, -draw.table)
    ]
    require(losses[0] != losses[1], tr("the losses do not depend on the model"))


def diagnostic_draws(seed: int) -> list[BehaviourTrial]:
    """Situations that tell the known mistakes apart."""
    usual, other = (like_windows(6, 5, 2, 6 + n, seed + n) for n in range(2))
    apart = many_windows(3, 1, 40, seed)
    return [
        BehaviourTrial(partial(_describe, usual)),
        BehaviourTrial(partial(_describe, other)),
        BehaviourTrial(partial(_describe, one_window(6, 5, 2, 6, seed))),
        BehaviourTrial(partial(_describe_batches, apart)),
        BehaviourTrial(partial(_describe_effects, usual), aside=True),
    ]


def _describe(draw: Training, candidate: Candidate) -> Any:
    """The losses and the table, where chance has no part."""
    trained = run(candidate, draw)
    return [torch.tensor(losses_of(trained.answer)), trained.table]


def _describe_batches(draw: Training, candidate: Candidate) -> str:
    """What the losses say of the batches, where nothing is learned."""
    answers = [losses_of(run(candidate, replace(draw, seed=draw.seed + n)).answer) for n in (0, 0, 1)]
    starts = place_windows(answers[0], draw)
    steps = {(after - before) % STARTS for before, after in pairwise(starts)}
    sized = losses_of(run(candidate, replace(draw, batch_size=5, steps=1), size=1000.0).answer or [0.0])
    facts = {
        "windows": "none" if -1 in starts else "the first" if set(starts) == {0} else "some",
        "one": len({round(loss, 3) for loss in answers[0]}) == 1,
        "in a row": len(steps) == 1,
        "again": answers[0] == answers[1],
        "others": answers[0] != answers[2],
        "shape": _shape_of(sized[0]) if sized else "none",
    }
    return str(facts)


def _describe_effects(draw: Training, candidate: Candidate) -> str:
    """The form of the answer, the modes, the random state and the graphs."""
    seen = []
    for mode in (True, False):
        trained = run(candidate, draw, mode, in_training=IN_TRAINING)
        x, y = draw.data[None, :-1], draw.data[None, 1:]
        after = (
            float(tensor(trained.model(x, y)[1]).detach()) - mean_loss(trained.table, draw.data)
            > IN_TRAINING / 2
        )
        losses = losses_of(trained.answer)
        during = "no loss" if not losses else losses[0] > IN_TRAINING
        graphs = tensor(trained.model(torch.zeros(0, 0, dtype=torch.int64))).tolist()
        seen.append((mode, during, after, trained.random_state_kept, graphs[1] > 3, len(losses)))
    return str(seen)


options = Options(diagnostic_draws=diagnostic_draws)
