"""A mask that hides nothing, for queries whose sizes only the box knows."""

import torch

from graders.check_api.mask_sense import MaskArgument, Reading, Sense


def test_values_that_the_box_keeps_get_a_mask_that_hides_nothing_at_any_size() -> None:
    argument = MaskArgument(3, Sense.TRUE_HIDES, check="hides", inputs=(1, 2), shapes="broadcasts")
    kept: list[object] = [object()] * 3
    *_, mask = argument.as_read(kept, Reading(Sense.TRUE_ALLOWS, needed=True))
    assert mask.equal(torch.tensor([[True]]))
