"""Limits, as they are typed and as they are told."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graders.sandbox.limits import GB, MB, BadLimit, Limits, format_size, show_limits
from graders.sandbox.process_lost import model_time


@pytest.mark.parametrize(
    ("word", "name", "value"),
    [
        ("call=10s", "call_s", 10.0),
        ("submission=2min", "submission_s", 120.0),
        ("cpu=30", "cpu_s", 30),
        ("memory=2GB", "memory_bytes", 2 * GB),
        ("memory=1.5g", "memory_bytes", 3 * GB // 2),
        ("output-kept=1 MB", "output_kept", MB),
        ("scratch-files=5", "scratch_files", 5),
        ("processes=8", "processes", 8),
    ],
)
def test_a_limit_is_typed_with_its_unit(word, name, value):
    changed = Limits().change([word])
    assert getattr(changed, name) == value
    assert type(getattr(changed, name)) is type(getattr(Limits(), name))


@pytest.mark.parametrize(
    "word", ["memory", "memory=", "memory=-1", "memory=0", "cpu=1GB", "processes=1s", "x=1"]
)
def test_what_is_no_limit_is_refused_with_a_reason(word):
    with pytest.raises(BadLimit, match=r"there is no limit|a positive number"):
        Limits().change([word])


@given(st.text(max_size=30))
def test_any_word_is_a_limit_or_refused(word):
    with contextlib.suppress(BadLimit):
        Limits().change([word])


def test_every_limit_that_is_shown_can_be_typed():
    for name, value, says in show_limits():
        assert Limits().change([f"{name}={value}"]) == Limits(), name
        assert says


def test_sizes_are_told_in_the_unit_that_fits():
    assert [format_size(n) for n in (1, 2048, 64 * MB, 3 * GB // 2)] == ["1 bytes", "2 KB", "64 MB", "1.5 GB"]


def test_code_that_always_hangs_gets_less_time_with_each_timeout():
    limits = Limits()
    allowed = [limits.call_after(timeouts) for timeouts in range(5)]
    assert allowed == [3, 0.75, 0.4, 0.4, 0.4]
    assert Limits(later_call_s=0.2).call_after(1) == Limits(later_call_s=0.2).call_after(9) == 0.2


@pytest.mark.parametrize(("spent", "seconds"), [(0, 20), (8, 20), (15, 13), (20, 8), (30, 8)])
def test_a_trained_model_has_its_time_and_with_the_other_exercises_no_more_than_28_seconds(spent, seconds):
    assert model_time(Limits(), spent).until == seconds
    assert f"({seconds} s)" in model_time(Limits(), spent).used_up
