"""The ground of an isolation level is set up once and kept while tests use that level."""

import contextlib
from collections.abc import Iterator

import pytest

from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import try_level
from graders.sandbox.isolation.level import IsolationLevel
from tests.hostile.corpus import limits_on
from tests.hostile.ground import Ground, ground


class Grounds:
    """One ground at a time: a warm interpreter for each isolation level would fill the memory."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._stack = contextlib.ExitStack()
        self._current: Ground | None = None
        self._missing: dict[IsolationLevel, str] = {}

    def on(self, level: IsolationLevel) -> Ground:
        """The ground of an isolation level; the test is skipped if this machine does not offer the level."""
        if level in self._missing:
            pytest.skip(self._missing[level])
        if self._current is None or self._current.level is not level:
            self.close()
            box = self._stack.enter_context(self._box(level))
            folder = self._folders.mktemp(f"softmark-{level}")
            self._current = self._stack.enter_context(ground(box, folder))
        return self._current

    def close(self) -> None:
        """Remove everything that was set up."""
        self._current = None
        self._stack.close()

    def _box(self, level: IsolationLevel) -> Box:
        box, step = try_level(level, limits_on(level))
        if box is None:
            self._missing[level] = f"{step.level}: {step.problem}"
            pytest.skip(self._missing[level])
        return box


@pytest.fixture(scope="session")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grounds]:
    kept = Grounds(tmp_path_factory)
    yield kept
    kept.close()


@pytest.fixture
def walled(request: pytest.FixtureRequest, grounds: Grounds) -> Iterator[Ground]:
    """The ground of the isolation level with which a test is parametrised."""
    there = grounds.on(request.param)
    with there.planted.in_environment():
        yield there
