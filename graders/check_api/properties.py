"""Properties that the checks of several exercises share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.check_api.check import Called, Candidate, Module, Raised
from graders.check_api.compare import Violation, alike, require, same, shaped, tensor
from graders.check_api.strategies.module_inputs import Indivisible, padding
from graders.check_api.strategies.tensors import normal, weights
from graders.language import tr, translatable

RANDOM = translatable("remark: the call uses or sets the global random state")


def first_tensor(answer: Any) -> Tensor:
    """The output, also where it comes in a tuple with something else or should."""
    return tensor(answer[0] if isinstance(answer, tuple | list) and answer else answer)


def has_parameters(found: Mapping[str, Tensor], expected: int) -> None:
    """Require a number of parameters; the message lists those found.

    Raises:
        Violation: there are more or fewer.
    """
    number = sum(p.numel() for p in found.values())
    listed = ", ".join(f"{name} {tuple(p.shape)}" for name, p in found.items()) or tr("none")
    require(
        number == expected,
        tr(
            "there should be {expected} parameters, found were {number}: {listed}",
            expected=expected,
            number=number,
            listed=listed,
        ),
    )


def leaves_alone(called: Called, arguments: Sequence[Tensor | None], *names: str) -> str | None:
    """Require that a call changes none of its arguments and that a second call gives the same answer.

    Args:
        called: what is called.
        arguments: what it is called with.
        names: what a message calls the arguments, in their order.

    Returns:
        a remark if it moves the global random state.

    Raises:
        Violation: an argument has other values, or the second answer is another.
    """
    seen = called.observed_call(*arguments)
    for name, before, after in zip(names, arguments, seen.args, strict=False):
        if before is not None:
            same(after, before, tr("{name} after the call", name=name))
    second = first_tensor(called(*arguments))
    same(second, first_tensor(seen.answer), tr("the output of the second call"))
    return None if seen.random_state_kept else tr(RANDOM)


def drops_in_training_only(construct: Callable[[float], Module], rate: float, x: Tensor) -> None:
    """Require that dropout acts in training, at no other time, and not at all with a rate of 0.

    Args:
        construct: makes a module with a rate of dropout.
        rate: so high that dropout cannot go unnoticed.
        x: an input large enough for that too.

    Raises:
        Violation: it does not.
    """
    drops_in_training(construct(rate), [x], rate)
    without = construct(0.0)
    calm = tensor(without(x))
    same(without.train()(x), calm, tr("the output in training with dropout=0"))


def drops_in_training(module: Module, arguments: Sequence[Tensor | None], rate: float | None = None) -> None:
    """Require that dropout acts in training and in no evaluation, before or after.

    Args:
        module: what is called, in evaluation mode.
        arguments: what it is called with, so large that dropout cannot go unnoticed.
        rate: of dropout, where a message should name it.

    Raises:
        Violation: it does not.
    """
    calm = first_tensor(module(*arguments))
    same(first_tensor(module(*arguments)), calm, tr("the second output in evaluation"))
    module.train()
    first, second = first_tensor(module(*arguments)), first_tensor(module(*arguments))
    named = tr("in training with dropout={rate} two calls answer the same", rate=rate)
    says = tr("in training two calls answer the same") if rate is None else named
    require(not torch.equal(first, second), says)
    same(first_tensor(module.train(False)(*arguments)), calm, tr("the output in evaluation after training"))


def depends_on(called: Called, before: Tensor, changed: Sequence[Tensor | None], what: str = "x") -> None:
    """Require another output for changed arguments: a constant has many properties for nothing.

    Raises:
        Violation: the output is the same to the last bit.
    """
    after = first_tensor(called(*changed))
    require(not torch.equal(after, before), tr("the output does not depend on {what}", what=what))


def uses_its_weights(module: Module, before: Tensor, arguments: Sequence[Tensor | None], seed: int) -> None:
    """Require another output under other weights, which the module then keeps.

    An answer that returns its input has many properties for nothing.

    Raises:
        Violation: the output is the same to the last bit.
    """
    learned = {name: shape for name, shape in module.shapes().items() if name not in module.frozen}
    after = first_tensor(module.load(weights(learned, seed + 1))(*arguments))
    require(not torch.equal(after, before), tr("other weights give the same output: the layers are not used"))


def treats_sequences_apart(module: Called, arguments: Sequence[Tensor | None]) -> Tensor:
    """Require that each sequence of a batch is answered as if it were alone; the answer to all of them.

    Args:
        module: what is called.
        arguments: tensors whose first axis is the batch, or None.

    Raises:
        Violation: the others change the answer to one.
    """
    output = first_tensor(module(*arguments))
    batch = next(a for a in arguments if a is not None).shape[0]
    require(
        output.dim() > 0 and output.shape[0] == batch,
        tr("the first axis of the output should be {batch}", batch=batch),
    )
    for number in range(batch):
        alone = [None if a is None else a[number : number + 1] for a in arguments]
        alike(first_tensor(module(*alone)), output[number : number + 1], tr("a sequence alone"))
    return output


def does_not_look_ahead(module: Called, arguments: Sequence[Tensor | None], changed: Tensor) -> Tensor:
    """Require that a change of the first argument at the last position changes the last output alone.

    Args:
        module: what is called.
        arguments: the first is (B, S) or (B, S, E).
        changed: the first argument with other values at the last position.

    Returns:
        the output before the change.

    Raises:
        Violation: an earlier output changes, or the last does not.
    """
    before = first_tensor(module(*arguments))
    after = first_tensor(module(changed, *arguments[1:]))
    shaped(after, tuple(before.shape))
    _begins_like(changed, before)
    alike(after[:, :-1], before[:, :-1], tr("the output before the change"))
    require(
        not torch.equal(after[:, -1], before[:, -1]), tr("the output at the changed position did not change")
    )
    return before


def ignores_masked_keys(answered: Callable[..., Any], x: Tensor, seed: int) -> tuple[Tensor, Tensor]:
    """Require that keys hidden from all queries have no influence on any other position.

    Args:
        answered: the answer to x and a bool mask (B, 1, 1, S), True = masked.
        x: (B, S, E) with S of at least 2. The last positions are hidden, in each sequence at least one.
        seed: of what is put in their place.

    Returns:
        the mask, and the output under it.

    Raises:
        Violation: an output at a position that is not hidden changes.
    """
    hidden = padding(x.shape[0], x.shape[1] - 1, seed) == 0
    hidden = torch.cat([hidden, torch.ones(x.shape[0], 1, dtype=torch.bool)], dim=1)
    other = normal(*x.shape, seed=seed + 1, scale=20.0, dtype=x.dtype)
    mask, seen = hidden[:, None, None, :], ~hidden
    before = first_tensor(answered(x, mask))
    after = first_tensor(answered(torch.where(hidden[..., None], other, x), mask))
    shaped(before, tuple(x.shape))
    shaped(after, tuple(x.shape))
    alike(after[seen], before[seen], tr("the output where nothing is hidden, after a change of what is,"))
    return mask, before


def knows_no_future(module: Called, x: Tensor) -> Tensor:
    """Require that every beginning of the sequences is answered as in the whole; the answer to the whole.

    Args:
        module: what is called, with one argument.
        x: (B, S) or (B, S, E).

    Raises:
        Violation: what comes later changes an answer.
    """
    output = first_tensor(module(x))
    _begins_like(x, output)
    for length in range(1, x.shape[1]):
        alike(
            first_tensor(module(x[:, :length])),
            output[:, :length],
            tr("the output for the first {length} positions", length=length),
        )
    return output


def either_way(holds: Callable[[Tensor], None], mask: Tensor) -> None:
    """Require what `holds` does for a mask with 1 = allowed, 0 = hidden; say so if it is read the other way.

    Raises:
        Violation: what `holds` raised, or that the mask is read the other way round.
    """
    try:
        holds(mask)
    except Violation as failure:
        try:
            holds(1 - mask)
        except (Violation, Raised):
            raise failure from None
        raise Violation(
            tr("the mask is read the other way round: 1 means allowed, 0 hidden"),
            failure.expected,
            failure.actual,
        ) from None


def hides_what_is_masked(module: Called, x: Tensor, changed: Tensor, position: int) -> None:
    """Require that a mask (B, 1, S, S), 1 = allowed, can hide one position from all others.

    Args:
        module: what is called with x and the mask; causal.
        x: (B, S) or (B, S, E).
        changed: x with other values at the position.
        position: any but the last.

    Raises:
        Violation: another output changes under the mask, or the last one does not without it.
    """
    batch, length = x.shape[:2]
    others = torch.arange(length) != position
    mask = torch.ones(batch, 1, length, length, dtype=torch.int64)
    mask[..., others, position] = 0

    def holds(mask: Tensor) -> None:
        before, after = first_tensor(module(x, mask)), first_tensor(module(changed, mask))
        _begins_like(x, before)
        shaped(after, tuple(before.shape))
        what = tr("the output elsewhere, where position {position} is hidden and changes,", position=position)
        alike(after[:, others], before[:, others], what)
        require(
            not torch.equal(after, before),
            tr("the output at position {position} does not depend on x there", position=position),
        )

    either_way(holds, mask)
    last, other = (first_tensor(module(states))[:, -1] for states in (x, changed))
    require(
        not torch.equal(last, other),
        tr("without a mask the last output does not depend on position {position}", position=position),
    )


def refuses(candidate: Candidate, draw: Indivisible) -> None:
    """Require an error at construction for a width that the heads do not divide, and none for another.

    Raises:
        Violation: it builds a module.
        Raised: it does not build one of a width that the heads divide.
    """
    try:
        candidate.construct(draw.width, draw.num_heads)
    except Raised:
        candidate.construct(draw.num_heads * 2, draw.num_heads)
        return
    told = {"width": draw.width, "heads": draw.num_heads}
    raise Violation(tr("a width of {width} with {heads} heads should raise, but does not", **told))


def _begins_like(x: Tensor, output: Tensor) -> None:
    shape = tuple(x.shape[:2])
    require(output.shape[:2] == shape, tr("the output should begin with {shape}", shape=shape))
