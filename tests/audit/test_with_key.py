"""A verdict with an answer key is the due one; in deviations, checks may be left undecided."""

import pytest

from graders.audit.with_key import same_verdict
from graders.results.audit_result import Kind, Tried


@pytest.mark.parametrize(
    ("kind", "failed", "undecided", "same"),
    [
        (Kind.DEVIATION, ("size",), (), True),
        (Kind.DEVIATION, ("size", "values"), ("values",), True),
        (Kind.DEVIATION, ("size", "values"), (), False),
        (Kind.DEVIATION, ("values",), ("values",), False),
        (Kind.RIGHT, ("size", "values"), ("values",), False),
        (Kind.MISTAKE, (), (), False),
    ],
)
def test_only_a_deviation_may_be_left_undecided(kind, failed, undecided, same):
    due = Tried(kind, "one", "failed", ("size",))
    assert same_verdict(due, Tried(kind, "one", "failed", failed, undecided=undecided)) is same
