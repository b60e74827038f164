"""A run over a class, as those see it who grade elsewhere or draw beside the results."""

from collections.abc import Mapping
from dataclasses import dataclass

from graders.batch.cache_key import Settings
from graders.batch.grade_all import ClassPlan
from graders.batch.save_results import ResultWriter
from graders.classroom.intake.download import Entry


@dataclass(frozen=True, kw_only=True)
class ClassRun:
    """A run over a class.

    Attributes:
        entries: the submissions that were asked for.
        plan: how they are graded.
        settings: what the results depend on beside the assignment.
        facts: the same by name, with much else on which they depend.
        writer: writes a result and its pages.
        jobs: how many submissions are graded at a time.
        corpus: what trained models are measured on, where that was asked for.
    """

    entries: list[Entry]
    plan: ClassPlan
    settings: Settings
    facts: Mapping[str, str]
    writer: ResultWriter
    jobs: int
    corpus: str | None
