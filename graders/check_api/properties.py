"""Properties that the checks of several exercises share."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Called, Candidate, Module, Raised
from graders.check_api.compare import OtherCount, Violation, alike, require, same, shaped, tensor
from graders.check_api.strategies.module_inputs import Indivisible
from graders.check_api.strategies.tensors import counting, normal, weights
from graders.language import tr, translatable
from softmark_worker.answer_parts import parts_of

NOT_USED = translatable(
    "this cannot be judged: other weights give the same output, so the layers are not used"
)
HALF = 0.5  # a dropout rate that changes every output of some width
RANDOM = translatable("remark: the call uses or sets the global random state")


def parts(answer: Any) -> list[Any]:
    """The parts of an answer: of a tuple or list, of a dict with the output first; else the answer alone."""
    return parts_of(answer)


def first_tensor(answer: Any) -> Tensor:
    """The output: the answer itself, or the first part that is not None where the answer has several.

    A list of tensors of one shape there, as of the states of a recurrent network, is one tensor: only checks
    of the answer's form and of gradients tell it from one.
    """
    first = next((part for part in parts_of(answer) if part is not None), answer)
    rows = first if isinstance(first, list) else []
    shapes = {tuple(row.shape) if isinstance(row, Tensor) else () for row in rows}
    return torch.stack(rows) if len(shapes) == 1 and all(map(len, shapes)) else tensor(first)


def begins_like(x: Tensor, output: Tensor) -> None:
    """Require the first two axes of an output to be those of x, (B, S).

    Raises:
        Violation: they are others.
    """
    shape = tuple(x.shape[:2])
    require(output.shape[:2] == shape, tr("the output should begin with {shape}", shape=shape))


def has_parameters(parameters: Mapping[str, Tensor], expected: int) -> None:
    """Require a number of values in all parameters; the message lists the parameters.

    Raises:
        OtherCount: there are more or fewer.
    """
    number = sum(p.numel() for p in parameters.values())
    if number == expected:
        return
    listed = ", ".join(f"{name} {tuple(p.shape)}" for name, p in parameters.items()) or tr("none")
    message = tr(
        "there should be {expected} parameters, but there are {number}: {listed}",
        expected=expected,
        number=number,
        listed=listed,
    )
    raise OtherCount(message)


def has_matrices(parameters: Mapping[str, Tensor], expected: int) -> None:
    """Require a number of values in all matrices: where the sizes are the subject, and the biases are not.

    Raises:
        Violation: there are more or fewer.
    """
    has_parameters({name: p for name, p in parameters.items() if p.dim() > 1}, expected)


def is_four_times_as_wide(candidate: Candidate, width: int, heads: int) -> None:
    """Require that a module without `ff_dim` has as many values in its parameters as with 4 * embed_dim.

    Both are the candidate's own: what else its parameters lack, such as biases, is for another check to say.

    Raises:
        Violation: it has more or fewer.
    """
    due = candidate.construct(embed_dim=width, num_heads=heads, ff_dim=4 * width).parameters()
    parameters = candidate.construct(width, heads).parameters()
    count, expected = (sum(p.numel() for p in given.values()) for given in (parameters, due))
    message = tr(
        "there are {count} parameters without ff_dim, and {due} with 4 * embed_dim", count=count, due=expected
    )
    require(count == expected, message)


def leaves_alone(called: Called, arguments: Sequence[Any], *names: str) -> str | None:
    """Require that a call changes none of its arguments and that a second call gives the same answer.

    Args:
        called: the function or module.
        arguments: its arguments.
        names: the names of the arguments in a message, in their order.

    Returns:
        a remark if it moves the global random state.

    Raises:
        Violation: an argument has other values afterwards, or the second answer is different.
    """
    call = called.observed_call(*arguments)
    for name, before, after in zip(names, arguments, call.args, strict=False):
        if isinstance(before, Tensor):
            same(after, before, tr("{name} after the call", name=name))
    first, second = first_tensor(call.answer), first_tensor(called(*arguments))
    alike(*_without_common_nan(second, first), tr("the output of the second call"))
    return None if call.random_state_kept else tr(RANDOM)


def _without_common_nan(second: Tensor, first: Tensor) -> tuple[Tensor, Tensor]:
    """Both with zeros where both are NaN, as rows may be that are masked whole; not where nothing is else."""
    if first.shape != second.shape or not first.is_floating_point():
        return second, first
    both = first.isnan() & second.isnan()
    return (second, first) if bool(both.all()) else (second.masked_fill(both, 0), first.masked_fill(both, 0))


def drops_in_training_only(construct: Callable[[float], Module], rate: float, x: Tensor) -> None:
    """Require that dropout acts in training mode only, and not at all at rate 0.

    Args:
        construct: makes a module with a dropout rate.
        rate: a rate so high that dropout is certain to change the output.
        x: an input large enough for that.

    Raises:
        Violation: it does not.
    """
    drops_in_training(construct(rate), [x], rate)
    drops_nothing(construct(0.0), [x], tr("the output in training with dropout=0"))


def drops_nothing(module: Module, arguments: Sequence[Tensor | None], value_name: str) -> None:
    """Require the same output in training as in evaluation.

    Raises:
        Violation: it is another.
    """
    in_evaluation = first_tensor(module(*arguments))
    alike(first_tensor(module.train()(*arguments)), in_evaluation, value_name)


def is_not_linear(called: Callable[[Tensor], Tensor], x: Tensor) -> None:
    """Require that a network is not a linear map of x, up to what it adds for x = 0.

    Without biases a network with ReLU is linear along a ray, but not through 0: f(x) + f(-x) = 2 f(0) fails.

    Args:
        called: gives the output.
        x: (B, S, E), so wide that some hidden unit is active.

    Raises:
        Violation: it is linear, or the second answer to the same input is another.
    """
    once, twice, zero, back = (called(factor * x).double() for factor in (1, 2, 0, -1))
    for output in (once, twice, zero, back):
        shaped(output, tuple(x.shape))
    alike(called(x).double(), once, tr("the output of the second call"))
    gap = torch.stack([twice - 2 * once + zero, once + back - 2 * zero]).abs().max()
    message = tr("doubling the input exactly doubles the output's change: no activation acts")
    require(bool(gap > 1e-3 * once.abs().max()), message)


def drops_in_training(module: Module, arguments: Sequence[Tensor | None], rate: float | None = None) -> None:
    """Require that dropout acts in training mode, and not in evaluation mode before or after it.

    Args:
        module: a module in evaluation mode.
        arguments: its arguments, so large that dropout is certain to change the output.
        rate: the dropout rate, if the message should name it.

    Raises:
        Violation: it does not.
    """
    without_dropout = first_tensor(module(*arguments))
    alike(first_tensor(module(*arguments)), without_dropout, tr("the second output in evaluation"))
    module.train()
    first, second = first_tensor(module(*arguments)), first_tensor(module(*arguments))
    message = (
        tr("in training two calls answer the same")
        if rate is None
        else tr("in training with dropout={rate} two calls answer the same", rate=rate)
    )
    require(not torch.equal(first, second), message)
    same(
        first_tensor(module.train(False)(*arguments)),
        without_dropout,
        tr("the output in evaluation after training"),
    )


def in_double(judge: Callable[[torch.dtype], None], otherwise: torch.dtype) -> None:
    """Judge in float64, where less is rounding; in another dtype if the code raises, which others check.

    Raises:
        Violation: as `judge`.
        Raised: the code raises in both.
    """
    try:
        judge(torch.float64)
    except Raised:
        judge(otherwise)


def gradient_comes_from_where_values_went(called: Called, x: Tensor, *others: Any) -> None:
    """Require of a function that only moves the values of x that gradients go back the same way.

    Where values went shows in the function's own answer to 0, 1, 2, ...

    Raises:
        Violation: a gradient is missing or comes from elsewhere.
    """
    went = first_tensor(called(counting(*x.shape, dtype=x.dtype), *others)).detach()
    upstream = normal(*went.shape, seed=1, dtype=x.dtype)
    gradients = called.gradients(x, *others, upstream=[upstream]).inputs
    gradient = next(iter(gradients), None)
    require(gradient is not None, tr("no gradient reaches x: is it detached or rebuilt from numbers?"))
    places = went.flatten().long()
    known = bool(((places >= 0) & (places < x.numel())).all())
    require(known, tr("the output holds values that are not in x"))
    expected = torch.zeros(x.numel(), dtype=x.dtype).index_add(0, places, upstream.flatten())
    same(gradient, expected.reshape(x.shape), tr("the gradient of x"))


def depends_on(called: Called, before: Tensor, changed: Sequence[Any], value_name: str = "x") -> None:
    """Require another output for changed arguments: a constant output would pass many checks.

    Of x, the first argument, another change is tried too: code that normalises x hides a change of scale and
    mean. With one column that leaves nothing of x, and nothing is required.

    Raises:
        Violation: the output is exactly the same.
    """
    trials, x = [list(changed)], changed[0]
    if value_name == "x" and isinstance(x, Tensor) and x.is_floating_point():
        if x.shape[-1] == 1:
            return
        trials.append([x.square() + x, *changed[1:]])
    same_output = all(torch.equal(first_tensor(called(*arguments)), before) for arguments in trials)
    require(
        not same_output, tr("this cannot be judged: the output does not depend on {what}", what=value_name)
    )


def uses_its_weights(module: Module, before: Tensor, arguments: Sequence[Tensor | None], seed: int) -> None:
    """Require another output under other weights. The module keeps the new weights.

    Code that returns its input would pass many checks.

    Raises:
        Violation: the output is exactly the same.
    """
    after = first_tensor(call_with_other_weights(module, arguments, seed + 1))
    require(not torch.equal(after, before), tr(NOT_USED))


def call_with_other_weights(module: Module, arguments: Sequence[Tensor | None], seed: int) -> Any:
    """The answer under random weights from a seed, of those that are trained. The module keeps them."""
    frozen = module.frozen
    learned = {name: shape for name, shape in module.shapes().items() if name not in frozen}
    return module.load(weights(learned, seed))(*arguments)


def treats_sequences_apart(module: Called, arguments: Sequence[Tensor | None]) -> Tensor:
    """Require that each sequence of a batch has the same output as when it is alone.

    Args:
        module: the module.
        arguments: tensors whose first axis is the batch, or None.

    Returns:
        the output for the whole batch.

    Raises:
        Violation: the other sequences change the output for one.
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


def refuses(candidate: Candidate, draw: Indivisible) -> None:
    """Require an error at construction for a width that the heads do not divide, and only then.

    Raises:
        Violation: the first is built.
        Raised: the second is not.
    """
    try:
        candidate.construct(draw.width, draw.num_heads)
    except Raised:
        candidate.construct(draw.num_heads * 2, draw.num_heads)
        return
    raise Violation(
        tr(
            "a width of {width} with {heads} heads should raise, but does not",
            width=draw.width,
            heads=draw.num_heads,
        )
    )
