"""All that a worker must know of a run to grade for it as the host would."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from graders.batch.cache_key import Settings
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import Limits


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """The settings of a run, with the secret seed of its draws.

    Attributes:
        key: the digest of all that the run's results depend on (`graders/batch/cache_key.py`).
        assignment: the assignment's name.
        corpus: what trained models are measured on, where the command line says so.
        course: the text of the course's own file, where there is one.
        settings: the seed, the level of the box, the limits and the rest.
        course_files: the texts of the stubs, checks and solutions of a course of one's own, by path.
    """

    key: str
    assignment: str
    corpus: str | None
    course: str | None
    settings: Settings
    course_files: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """As text, for `from_json`."""
        return json.dumps(asdict(self)).encode()

    @staticmethod
    def from_json(text: bytes) -> "RunSettings":
        """The settings in a text that a host has written."""
        run = json.loads(text)
        settings = run.pop("settings")
        limits, level = Limits(**settings.pop("limits")), IsolationLevel(settings.pop("level"))
        return RunSettings(**run, settings=Settings(**settings, limits=limits, level=level))
