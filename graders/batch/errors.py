"""Why a class is not graded, or not to its end."""

from graders.language import tr


class CannotGrade(Exception):
    """What was asked for cannot be done, and nothing was graded. Text for whoever asked."""


class NoWall(CannotGrade):
    """No box with a wall holds here, and none without one was allowed.

    `failed` has the names of levels that were tried, and why they do not hold.
    """

    def __init__(self, failed: list[tuple[str, str]]) -> None:
        self.failed = failed
        why = [tr("{level}: {why}", level=levels, why=problem) for levels, problem in failed]
        sentence = tr("Without a box, other people's code is graded only where that is asked for (unsafe).")
        super().__init__("\n".join([*why, sentence]))


class RunStopped(Exception):
    """A run that has begun cannot go on. What is done is kept, and the same call goes on from there.

    `reason` is for whoever started the run; `done` of `total` submissions have their results.
    """

    def __init__(self, reason: str, *, done: int = 0, total: int = 0) -> None:
        super().__init__(reason)
        self.reason, self.done, self.total = reason, done, total


class FolderChanged(RunStopped):
    """Files of the results were removed while the run went on."""


class MachinesLost(Exception):
    """Other machines should grade, and none does. Text for whoever started the run."""
