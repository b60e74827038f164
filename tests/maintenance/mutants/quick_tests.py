"""Run quick tests in this process, until one fails."""

import os
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import Phase, settings

SELECTED = "not programs and not slow"  # `tests/conftest.py` refuses programs where it begins so


def run_quick_tests(files: Sequence[str]) -> str | None:
    """Run the quick tests of these files; the id of the first that fails, None where all hold."""
    os.environ.pop("SOFTMARK_NIGHTLY", None)
    first_failure = _FirstFailure()
    options = ["-m", SELECTED, "-x", "-q", "-p", "no:cacheprovider"]
    status = pytest.main([*options, *files], plugins=[first_failure])
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return None
    return first_failure.name or f"pytest ended with {status}"


class _FirstFailure:
    name: str | None = None

    def pytest_sessionstart(self) -> None:
        """Nobody reads the smallest example on which a test fails."""
        profile = settings(settings.get_profile("softmark"), phases=[Phase.explicit, Phase.generate])
        settings.register_profile("first failure", profile)
        settings.load_profile("first failure")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.name = self.name or report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.name = self.name or report.nodeid
