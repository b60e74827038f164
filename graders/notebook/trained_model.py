"""A trained model whose parts are objects of a notebook, judged in the notebook's own process.

The same measurement as in the box, on the same text. There is no box, and one process in place of several.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import Exercise
from graders.extraction.extract import Missing, Source
from graders.extraction.stub import is_untouched
from graders.judging import score
from graders.language import tr
from graders.notebook.in_process import InProcessSession
from graders.notebook.restore_state import isolating_calls
from graders.notebook.source_places import Places
from graders.results.result import ExerciseResult, Outcome
from graders.submission.decode import CHECKPOINTS
from graders.submission.read import Checkpoint
from graders.trained.fresh_process import Parts, stopping_at_errors
from graders.trained.judge_model import judge_parts


@dataclass(frozen=True)
class ThisProcess:
    """Runs the parts of a model in this process: `graders.trained.fresh_process.Processes`."""

    names: Mapping[str, Any]
    places: Places

    @contextmanager
    def session(self) -> Iterator[InProcessSession]:
        """A session of no symbol."""
        yield InProcessSession(None, isolating_calls())

    @contextmanager
    def load(self, source: Source) -> Iterator[RemoteCandidate]:
        """The object of the source's name."""
        session = InProcessSession(self.names[source.symbol], isolating_calls())
        candidate = RemoteCandidate(session, source, place_of_line=self.places.place)
        with stopping_at_errors(candidate):
            yield candidate


def find_checkpoint() -> Path | None:
    """The trained model in the working directory, None if there is none."""
    return next((path for name in CHECKPOINTS if (path := Path(name)).is_file()), None)


def judge_trained(
    exercise: Exercise, model: Source, names: Mapping[str, Any], places: Places, seed: int
) -> ExerciseResult:
    """The result of an exercise that asks for a trained model, by the file in the working directory.

    Args:
        exercise: with its criteria and its loss policy.
        model: the model's class, which is in `names`.
        names: the notebook's, `encode` and `decode` among them where they are defined.
        places: finds definitions.
        seed: of the held-out text.
    """
    path = find_checkpoint()
    if path is None:
        absent = tr(
            "There is no {file} in the folder of this notebook: train your model and save it first.",
            file=CHECKPOINTS[0],
        )
        return score.unjudged_result(exercise, Outcome.NOT_ATTEMPTED, absent, model.definitions)
    beside = {name: _source(exercise, name, names, places) for name in exercise.options.beside}
    parts = Parts(model, beside["encode"], beside["decode"], Checkpoint(path.name, path.read_bytes()))
    return judge_parts(exercise, parts, ThisProcess(names, places), seed)


def _source(exercise: Exercise, name: str, names: Mapping[str, Any], places: Places) -> Source | Missing:
    """The function of this name; missing where there is none, or still the one that was handed out."""
    definition = places.definition(names[name]) if name in names else None
    untouched = definition is not None and is_untouched(definition[0], name, exercise.handed_out)
    if name not in names or untouched:
        return Missing(name, Outcome.NOT_ATTEMPTED, "", (), ())
    return Source(name, (), (definition[1],) if definition else (), ())
