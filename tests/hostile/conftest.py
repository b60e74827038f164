"""The ground of a rung is made once and kept as long as the tests are about that rung."""

import contextlib
from collections.abc import Iterator

import pytest

from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import tried
from graders.sandbox.isolation.level import Rung
from tests.hostile.corpus import limits_on
from tests.hostile.ground import Ground, ground


class Grounds:
    """One ground at a time: a warm interpreter for each rung would fill the memory."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self._folders = folders
        self._stack = contextlib.ExitStack()
        self._current: Ground | None = None
        self._missing: dict[Rung, str] = {}

    def on(self, rung: Rung) -> Ground:
        """The ground of a rung; the test is skipped where this machine does not offer it."""
        if rung in self._missing:
            pytest.skip(self._missing[rung])
        if self._current is None or self._current.rung is not rung:
            self.close()
            box = self._stack.enter_context(self._box(rung))
            folder = self._folders.mktemp(f"softmark-{rung}")
            self._current = self._stack.enter_context(ground(box, folder))
        return self._current

    def close(self) -> None:
        """Take everything up again."""
        self._current = None
        self._stack.close()

    def _box(self, rung: Rung) -> Box:
        box, step = tried(rung, limits_on(rung))
        if box is None:
            self._missing[rung] = f"{step.rung}: {step.problem}"
            pytest.skip(self._missing[rung])
        return box


@pytest.fixture(scope="session")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Grounds]:
    kept = Grounds(tmp_path_factory)
    yield kept
    kept.close()


@pytest.fixture
def walled(request: pytest.FixtureRequest, grounds: Grounds) -> Ground:
    """The ground of the rung that a test is parametrised with."""
    return grounds.on(request.param)


@pytest.fixture
def unwalled(grounds: Grounds) -> Ground:
    return grounds.on(Rung.OPEN)
