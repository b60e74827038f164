"""Properties of masks and causality that the checks of several exercises share."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Called, Raised
from graders.check_api.compare import Violation, alike, require, shaped
from graders.check_api.properties import begins_like, first_tensor
from graders.check_api.strategies.attention_masks import padding
from graders.check_api.strategies.tensors import normal
from graders.language import tr


def does_not_look_ahead(module: Called, arguments: Sequence[Tensor | None], changed: Tensor) -> Tensor:
    """Require that a change of the first argument at the last position changes only the last output.

    Args:
        module: the module.
        arguments: its arguments; the first is (B, S) or (B, S, E).
        changed: the first argument with other values at the last position.

    Returns:
        the output before the change.

    Raises:
        Violation: an earlier output changes, or the last does not.
    """
    before = first_tensor(module(*arguments))
    after = first_tensor(module(changed, *arguments[1:]))
    shaped(after, tuple(before.shape))
    begins_like(changed, before)
    alike(after[:, :-1], before[:, :-1], tr("the output before the change"))
    require(
        not torch.equal(after[:, -1], before[:, -1]), tr("the output at the changed position did not change")
    )
    return before


def ignores_masked_keys(answer_under: Callable[..., Any], x: Tensor, seed: int) -> tuple[Tensor, Tensor]:
    """Require that keys that are masked for all queries have no influence on any other position.

    Args:
        answer_under: gives the answer to x and a bool mask (B, 1, 1, S), True = masked.
        x: (B, S, E) with S of at least 2. The last positions are masked, or the first, at least one in each
            sequence: code that is causal ignores the last whatever the mask says.
        seed: of the values that replace x at the masked positions.

    Returns:
        the mask, and the output under it.

    Raises:
        Violation: an output at a position that is not masked changes.
    """
    hidden = padding(x.shape[0], x.shape[1] - 1, seed) == 0
    hidden = torch.cat([hidden, torch.ones(x.shape[0], 1, dtype=torch.bool)], dim=1)
    hidden = hidden.flip(1) if seed % 2 else hidden
    other = normal(*x.shape, seed=seed + 1, scale=20.0, dtype=x.dtype)
    mask, visible = hidden[:, None, None, :], ~hidden
    before = first_tensor(answer_under(x, mask))
    after = first_tensor(answer_under(torch.where(hidden[..., None], other, x), mask))
    shaped(before, tuple(x.shape))
    shaped(after, tuple(x.shape))
    alike(
        after[visible], before[visible], tr("the output where nothing is hidden, after a change of what is,")
    )
    return mask, before


def knows_no_future(module: Called, x: Tensor) -> Tensor:
    """Require that the first positions alone have the same outputs as in the whole sequence.

    At least two of them: what becomes of one position is for another check.

    Args:
        module: a module that takes one argument.
        x: (B, S) or (B, S, E), with S of at least 3, unless the whole is all that is asked for.

    Returns:
        the output for the whole sequence.

    Raises:
        Violation: later positions change an output.
    """
    output = first_tensor(module(x))
    begins_like(x, output)
    for length in range(min(2, x.shape[1]), x.shape[1]):
        alike(
            first_tensor(module(x[:, :length])),
            output[:, :length],
            tr("the output for the first {length} positions", length=length),
        )
    return output


def knows_no_future_at_its_length(module: Called, x: Tensor, changed: Tensor) -> Tensor:
    """Require the same; of code that refuses fewer positions, that a change of the last one changes no other.

    That it takes fewer is for another check.

    Args:
        module: as for `knows_no_future`.
        x: as there.
        changed: the same with other values at the last position.

    Returns:
        the output for x.

    Raises:
        Violation: later positions change an output.
    """
    try:
        return knows_no_future(module, x)
    except Raised:
        return does_not_look_ahead(module, [x], changed)


def is_bool(mask: Tensor) -> None:
    """Require a mask of dtype bool.

    Raises:
        Violation: it is another.
    """
    message = tr(
        "the mask should be of dtype bool, but is {dtype} "
        "(True = masked; a mask of numbers is another convention)",
        dtype=mask.dtype,
    )
    require(mask.dtype == torch.bool, message)


def find_wrong(wrong: Tensor, message: str) -> None:
    """Fail with the first sequence, query and key at which a mask is wrong, if there is one.

    Args:
        wrong: (B, S, S) bool.
        message: as `translatable` gives it, of `sequence`, `query` and `key`.

    Raises:
        Violation: there is one.
    """
    for sequence, query, key in wrong.nonzero()[:1].tolist():
        raise Violation(tr(message, sequence=sequence, query=query, key=key))


def either_way(require_under: Callable[[Tensor], None], mask: Tensor) -> None:
    """Call `require_under` with a mask, 1 = allowed, 0 = hidden; if it fails, try the inverted mask.

    Raises:
        Violation: as `require_under` raises it; or, if the inverted mask passes, with a message that the mask
            is read the other way round.
    """
    try:
        require_under(mask)
    except Violation as failure:
        try:
            require_under(1 - mask)
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
        module: a causal module that takes x and the mask.
        x: (B, S) or (B, S, E).
        changed: x with other values at the position.
        position: any position but the last.

    Raises:
        Violation: under the mask another output changes, or without it the last output does not.
    """
    batch, length = x.shape[:2]
    others = torch.arange(length) != position
    mask = torch.ones(batch, 1, length, length, dtype=torch.int64)
    mask[..., others, position] = 0

    def require_under(mask: Tensor) -> None:
        before, after = first_tensor(module(x, mask)), first_tensor(module(changed, mask))
        begins_like(x, before)
        shaped(after, tuple(before.shape))
        value_name = tr(
            "the output elsewhere, where position {position} is hidden and changes,", position=position
        )
        alike(after[:, others], before[:, others], value_name)
        require(
            not torch.equal(after, before),
            tr("the output at position {position} does not depend on x there", position=position),
        )

    either_way(require_under, mask)
    # Slices, since an answer may have no position.
    last, other = (first_tensor(module(states))[:, -1:] for states in (x, changed))
    require(
        not torch.equal(last, other),
        tr("without a mask the last output does not depend on position {position}", position=position),
    )
