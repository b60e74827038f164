"""A refusal is known by the statement that raises it, whatever its type and its words."""

import pytest

from graders.check_api.candidate import Raised
from graders.check_api.refusal import is_refusal


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("raise ValueError(f'{n} is too long')", "ValueError"),
        ("if n > m: raise RuntimeError", "RuntimeError"),
        ("assert n <= m, 'trop long'", "AssertionError"),
        ("assert(n <= m)", "AssertionError"),
    ],
)
def test_statements_that_raise_refuse(line: str, kind: str):
    assert is_refusal(line, kind)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("return x.view(n, m)", "RuntimeError"),
        ("assert x.view(n, m).any()", "RuntimeError"),
        ("raise NotImplementedError", "NotImplementedError"),
        ("raise", "ValueError"),
        ("raised = table[n]", "IndexError"),
        ("self.assert_fits(n)", "AssertionError"),
    ],
)
def test_calls_that_fail_stubs_and_what_passes_an_error_on_refuse_nothing(line: str, kind: str):
    assert not is_refusal(line, kind)


def test_two_refusals_say_the_same_and_an_error_says_something_else():
    ours = Raised("ValueError: there are only 6 positions", "ValueError", refused=True)
    theirs = Raised("AssertionError: trop long", "AssertionError", refused=True)
    failed = Raised("ValueError: there are only 6 positions", "ValueError")
    assert ours.shape == theirs.shape != failed.shape
