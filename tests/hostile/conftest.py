"""The ground of each rung, made once per process; tests of one rung follow one another on it."""

from collections.abc import Iterator

import pytest

from graders.wall.ladder import tried
from graders.wall.rung import Rung
from tests.hostile.corpus import LIMITS, WALLS
from tests.hostile.ground import Ground, ground


@pytest.fixture(scope="session", params=WALLS, ids=str)
def walled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    box, step = tried(request.param, LIMITS)
    if box is None:
        pytest.skip(f"{step.rung}: {step.problem}")
    box.close()
    with ground(request.param, tmp_path_factory.mktemp(f"softmark-{request.param}")) as there:
        yield there


@pytest.fixture(scope="session")
def unwalled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    with ground(Rung.OPEN, tmp_path_factory.mktemp("softmark-open")) as there:
        yield there
