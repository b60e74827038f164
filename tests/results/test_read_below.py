"""A file of a part is read whole and within its bound, also while it grows."""

import os
from types import SimpleNamespace

import pytest

from graders.results.read_below import read_below


@pytest.fixture
def grown_by(monkeypatch):
    """Lets files seem shorter, by so many bytes, when their size is asked for: they grow after that."""
    true_size = os.fstat

    def grow(more: int) -> None:
        def shorter(file: int) -> SimpleNamespace:
            status = true_size(file)
            return SimpleNamespace(st_mode=status.st_mode, st_size=status.st_size - more)

        monkeypatch.setattr("graders.results.read_below.os.fstat", shorter)

    return grow


@pytest.mark.parametrize("more", [0, 1, 7, 10])
def test_a_file_that_grows_is_read_to_its_end(tmp_path, grown_by, more):
    (tmp_path / "result.json").write_bytes(b"0123456789")
    grown_by(more)
    assert read_below(tmp_path, 10, "result.json").data == b"0123456789"


@pytest.mark.parametrize("more", [0, 1, 7, 10])
def test_a_file_beyond_its_bound_is_refused_whatever_size_it_had(tmp_path, grown_by, more):
    (tmp_path / "result.json").write_bytes(b"0123456789")
    grown_by(more)
    with pytest.raises(OSError, match="larger"):
        read_below(tmp_path, 9, "result.json")
