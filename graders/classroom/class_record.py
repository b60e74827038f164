"""The students of a class and their hand-ins: frozen, versioned data, stored as JSON in `OUT/class.json`.

Names and paths come from students and learning platforms; `graders.safe_text` has sanitised them, and
reports escape them.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from graders.results.json_schema import from_json_text, to_json_text

SCHEMA = "softmark/class/1"
FILE = "class.json"  # in the folder of a run's results
LIMIT = 256_000_000  # bytes; 100,000 students with all their names take 60 MB


@dataclass(frozen=True, slots=True)
class Student:
    """One line of the roster. What the roster does not say is empty.

    Attributes:
        id: the student's identifier in this class.
        name: the whole name.
        email: the e-mail address.
        group: the group or team.
        username: the login.
        number: the platform's number of the participant.
    """

    id: str
    name: str = ""
    email: str = ""
    group: str = ""
    username: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class HandIn:
    """The submission of a student or a team that counts.

    Attributes:
        id: the submission's name in this run: the name of its folder of results.
        source: its path in the download.
        at: when it was handed in, in ISO 8601 with an offset; null where that is not known.
        clock: what `at` was read from, such as `roster` or a file's name.
        late: whether the platform calls it late.
        name: the student's name, as the download gives it.
        number: the participant's number, as the download gives it.
        students: ids of the roster, several for a team.
        in_time: where late commits came after a state of a repository that was in time, the digest of its
            files: a result of these files has the time `in_time_at`, and any other `at`.
        in_time_at: when that state was committed.
    """

    id: str
    source: str
    at: datetime | None = None
    clock: str = ""
    late: bool = False
    name: str = ""
    number: str = ""
    students: tuple[str, ...] = ()
    in_time: str = ""
    in_time_at: datetime | None = None

    def of_files(self, sha256: str) -> "HandIn":
        """The same, at the time at which the files of this digest were handed in."""
        return replace(self, at=self.in_time_at) if self.in_time and sha256 == self.in_time else self


@dataclass(frozen=True, slots=True)
class Earlier:
    """A submission that does not count, since another of the same student does: the latest, as a rule.

    Attributes:
        source: its path in the download.
        at: when it was handed in, or null.
        instead: the id of the submission that counts.
    """

    source: str
    at: datetime | None
    instead: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """When files came that were handed in before those that a submission has now.

    Attributes:
        id: the submission's id.
        sha256: the digest of the files.
        at: when they were handed in, or null.
        clock: what `at` was read from.
        late: whether the platform called them late.
    """

    id: str
    sha256: str
    at: datetime | None = None
    clock: str = ""
    late: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """Which files an override judged: those whose result was there when softmark met it first.

    Attributes:
        override: a digest of the line of overrides.csv.
        sha256: the digest of the files; empty where nothing was handed in then.
    """

    override: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ExerciseBefore:
    """What an earlier grading gave for an exercise.

    Attributes:
        name: the exercise's name.
        points: the points given then.
        max_points: the points that it was worth then.
    """

    name: str
    points: float
    max_points: float


@dataclass(frozen=True, slots=True)
class Before:
    """What the grading that a run was compared with gave for a submission.

    Attributes:
        id: the submission's id.
        sha256: the digest of the files: of others it says nothing.
        exercises: what each exercise got.
    """

    id: str
    sha256: str
    exercises: tuple[ExerciseBefore, ...]


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Something that belongs to no student.

    Attributes:
        what: a path in the download, or a name.
        why: the reason, for the instructor.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class ClassRecord:
    """A class, and what it handed in for one assignment.

    Attributes:
        schema: the name and version of this format.
        assignment: the assignment's name.
        max_points: the points that the assignment is worth.
        layout: the platform of the download: `plain`, `moodle`, `canvas`,
            `classroom`, `nbgrader` or `gradescope`.
        students: the roster.
        hand_ins: the submissions that count.
        earlier: the submissions that do not.
        unmatched: what belongs to no student.
        zone: the time zone that was assumed for times without one; empty where there were none.
        attempts: the times of files that were graded in this folder before others came.
        judged: the files that overrides judged.
        run: the digest of all that the results of the last run depend on, except the submissions.
        before: what the grading gave that the last run was compared with.
        never_lower: whether nobody gets fewer points for the same files than then.
        link_to: the site with the pages of known mistakes to which hints lead, where the command said one;
            `off` for none.
    """

    schema: str = field(default=SCHEMA, kw_only=True)
    assignment: str
    max_points: float
    layout: str = "plain"
    students: tuple[Student, ...] = ()
    hand_ins: tuple[HandIn, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    zone: str = ""
    attempts: tuple[Attempt, ...] = ()
    judged: tuple[Judged, ...] = ()
    run: str = ""
    before: tuple[Before, ...] = ()
    never_lower: bool = False
    link_to: str = ""


def to_json(class_record: ClassRecord) -> str:
    """The text of a class.json: keys in a fixed order, one line per key, ends with a newline."""
    return to_json_text(class_record)


def from_json(text: str) -> ClassRecord:
    """The class in a class.json.

    Raises:
        ValueError: the text is not a class of this schema.
    """
    record = from_json_text(text, ClassRecord, SCHEMA)
    times = [item.at for items in (record.hand_ins, record.earlier, record.attempts) for item in items]
    for at in (*times, *(hand_in.in_time_at for hand_in in record.hand_ins)):
        if at is not None and at.tzinfo is None:
            raise ValueError(f"{at.isoformat()} has no time zone")
    return record


def is_results_folder(folder: Path) -> bool:
    """Whether a run has written its results to this folder."""
    return (folder / FILE).is_file()
