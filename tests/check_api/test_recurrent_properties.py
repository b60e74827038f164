"""What is required of the outputs of a recurrent network can be asked of any answer."""

import pytest
import torch

from graders.check_api.check import Violation
from graders.check_api.recurrent_properties import remembers


def test_the_last_state_alone_is_refused_where_as_many_features_are_as_positions() -> None:
    with pytest.raises(Violation):
        remembers(lambda x: x.sum(1), torch.ones(2, 3, 3))


def test_sums_of_all_that_came_before_remember_it() -> None:
    remembers(lambda x: x.cumsum(1), torch.ones(2, 3, 3))
