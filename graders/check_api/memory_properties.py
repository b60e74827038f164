"""Properties of modules that look at a memory, which the checks of several exercises share."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Module
from graders.check_api.compare import alike, require, shaped
from graders.check_api.properties import begins_like, first_tensor
from graders.check_api.strategies.memories import Crossed, Decoded
from graders.check_api.strategies.tensors import normal
from graders.check_api.variation import FEW
from graders.language import tr

Answered = Callable[[Any], Tensor]  # gives the output for a draw


def answers_repeats_alike(module: Module, draw: Crossed | Decoded) -> None:
    """Require that a short input and a short memory, both repeated, have the short output at each repeat.

    So it is for attention without a mask and without positions, whatever else is wrong.

    Raises:
        Violation: the output is another.
    """
    x, memory, times = draw.x[:, :FEW], draw.memory[:, :FEW], draw.x.shape[1] // FEW
    output = first_tensor(module(x, memory))
    begins_like(x, output)
    repeated = first_tensor(module(x.repeat(1, times, 1), memory.repeat(1, times, 1)))
    alike(repeated, torch.cat([output] * times, dim=1), tr("the output for a repeated sequence"))


def takes_the_masks_written_out(module: Module, draw: Crossed | Decoded) -> None:
    """Require the same output under masks with all their axes, and another without them.

    Raises:
        Violation: it is not so.
    """
    heads, (batch, queries) = draw.config["num_heads"], draw.x.shape[:2]
    whole = [mask.expand(batch, heads, queries, mask.shape[-1]).contiguous() for mask in draw.arguments[2:]]
    output = first_tensor(module(*draw.arguments))
    written = first_tensor(module(draw.x, draw.memory, *whole))
    alike(written, output, tr("the output under the same mask with all its axes"))
    plain = first_tensor(module(draw.x, draw.memory))
    require(not torch.equal(plain, output), tr("the mask changes nothing"))


def ignores_masked_memory(
    answer_under: Callable[[Tensor, Tensor], Tensor], memory: Tensor, seed: int
) -> tuple[Tensor, Tensor]:
    """Require that positions of the memory that are masked for all queries have no influence.

    Args:
        answer_under: gives the output for a memory and a bool mask (B, 1, 1, Sk), True = masked.
        memory: (B, Sk, E) with Sk of at least 2. The last positions are masked, or the first, at least one in
            each sequence; in the first sequence fewer than in some and more than in others.
        seed: of the values that replace the memory at the masked positions.

    Returns:
        the mask, and the output under it.

    Raises:
        Violation: the output changes; or it does not where what is visible changes.
    """
    batch, length = memory.shape[:2]
    hidden = torch.arange(length) >= _lengths_shown(batch, length - 1)[:, None]
    hidden = hidden.flip(1) if seed % 2 else hidden
    other = normal(*memory.shape, seed=seed + 1, scale=20.0, dtype=memory.dtype)
    mask = hidden[:, None, None, :]
    before = answer_under(memory, mask)
    after = answer_under(torch.where(hidden[..., None], other, memory), mask)
    shaped(after, tuple(before.shape))
    alike(after, before, tr("the output after a change of what is hidden of the memory"))
    seen = answer_under(torch.where(hidden[..., None], memory, memory + other / 20), mask)
    require(not torch.equal(seen, before), tr("the output does not depend on {what}", what="memory"))
    return mask, before


def _lengths_shown(batch: int, most: int) -> Tensor:
    """How many positions each sequence shows, from 1 to `most`, as different as can be; (B,).

    The first is in the middle (of two, it shows fewer): code that takes the first one's memory, or its mask,
    for all shows it whatever the seed.
    """
    spread = most - torch.arange(batch) * most // batch
    return spread.roll(-(batch // 2))


def knows_no_order_of_the_memory(answered: Answered, draw: Crossed | Decoded) -> Tensor:
    """Require the same output for the positions of the memory in another order, and another for other values.

    Args:
        answered: gives the output for a draw.
        draw: without masks, with a memory of at least two positions.

    Returns:
        the output.

    Raises:
        Violation: it is not so.
    """
    output = answered(draw)
    begins_like(draw.x, output)
    turned = answered(replace(draw, memory=draw.memory.roll(1, 1)))
    shaped(turned, tuple(output.shape))
    alike(turned, output, tr("the output for the memory in another order"))
    moved = draw.memory.clone()
    moved[:, 0] += torch.arange(1, moved.shape[-1] + 1, dtype=moved.dtype)
    changed = answered(replace(draw, memory=moved))
    last = output[:, -1:]
    require(
        changed.shape == output.shape and not torch.equal(changed[:, -1:], last),
        tr("the last output does not depend on the first position of the memory"),
    )
    return output


def teaches_the_memory(module: Module, draw: Crossed | Decoded, place: int = 0) -> None:
    """Require a gradient for the memory: otherwise an encoder learns nothing.

    Args:
        module: the module.
        draw: with states of floating point.
        place: the index of the output in the module's answer.

    Raises:
        Violation: no gradient arrives, or it is zero everywhere.
    """
    upstream = normal(*draw.x.shape, seed=draw.seed + 7, dtype=draw.x.dtype)
    inputs = module.gradients(*draw.arguments, upstream=[*[None] * place, upstream]).inputs
    gradient = inputs[1] if len(inputs) > 1 else None
    reaches = gradient is not None and bool(gradient.any()) and bool(torch.isfinite(gradient).all())
    require(reaches, tr("no gradient reaches {name}: is something detached or never used?", name="memory"))
