"""A run over a class, as its steps see it, and those who grade elsewhere or draw beside the results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graders.batch.cache_key import Settings
from graders.batch.save_results import ResultWriter
from graders.classroom.intake.download import Entry

if TYPE_CHECKING:
    from graders.batch.grade_all import ClassPlan  # imports PyTorch


@dataclass(frozen=True, kw_only=True)
class TakenClass:
    """A class that was taken in: enough to know which results still hold, and to publish them.

    Attributes:
        entries: the submissions that were asked for.
        settings: what the results depend on beside the assignment.
        facts: the same by name, with much else on which they depend.
        writer: writes a result and its pages.
        jobs: how many submissions are graded at a time.
    """

    entries: list[Entry]
    settings: Settings
    facts: Mapping[str, str]
    writer: ResultWriter
    jobs: int


@dataclass(frozen=True, kw_only=True)
class ClassRun(TakenClass):
    """A run over a class.

    Attributes:
        plan: how submissions are graded.
        corpus: what trained models are measured on, where that was asked for.
    """

    plan: "ClassPlan"
    corpus: str | None
