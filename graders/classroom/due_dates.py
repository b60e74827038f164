"""When each submission of a class is due: on the common date, or on that of an extension if it is later."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from graders.classroom.class_record import ClassRecord
from graders.classroom.extensions import Extension
from graders.classroom.mark_holders import MarkHolder, Names, mark_holders
from graders.course.late_policy import LatePolicy, extend
from graders.language import tr, translatable


@dataclass(frozen=True)
class DueDates:
    """The late policies of a class.

    Attributes:
        common: that of the assignment; None where it has none, and nobody is late.
        extended: the extension of a submission by its id in lower case, and of a member of its team alone by
            both ids.
    """

    common: LatePolicy | None = None
    extended: Mapping[tuple[str, str | None], Extension] = field(default_factory=dict)

    @classmethod
    def of_class(
        cls, common: LatePolicy | None, extensions: Iterable[Extension], holders: Sequence[MarkHolder]
    ) -> "DueDates":
        """The due dates of all who get a mark; of several extensions the latest holds."""
        extended: dict[tuple[str, str | None], Extension] = {}
        names = Names(holders)
        for extension in sorted(extensions, key=_order):
            for holder, member in names.find(extension.id):
                extended[holder.id.casefold(), member.id if member else None] = extension
        return cls(common, extended)

    def extension(self, submission: str, member: str | None = None) -> Extension | None:
        """The extension that holds for a submission, or for a member of its team; None where none does."""
        found = [self.extended.get((submission.casefold(), each)) for each in (None, member)]
        latest = max((each for each in found if each), key=_order, default=None)
        if latest is None or self.common is None or extend(self.common, latest.due) is self.common:
            return None
        return latest

    def policy(self, submission: str, member: str | None = None) -> LatePolicy | None:
        """The late policy of a submission, or of a member of its team."""
        extension = self.extension(submission, member)
        return extend(self.common, extension.due) if self.common and extension else self.common


def _order(extension: Extension) -> tuple[datetime, str, str]:
    """By the date; of the same date the same one is last, whatever the order of the lines."""
    return extension.due.astimezone(UTC), extension.id, extension.staff_note


NEVER_LATE = DueDates()


def due_dates_of(
    class_record: ClassRecord, common: LatePolicy | None, extensions: Sequence[Extension]
) -> DueDates:
    """The due dates of the submissions of a class."""
    holders = mark_holders({}, class_record) if extensions else []
    return DueDates.of_class(common, extensions, holders)


def check_extensions(extensions: Iterable[Extension], holders: Iterable[MarkHolder]) -> list[str]:
    """Return a sentence for each extension that is nobody's."""
    names, notes = Names(holders), []
    for extension in extensions:
        if names.find(extension.id):
            continue
        message = translatable("extensions.csv, {id}: nobody has this id.")
        if names.is_unclear(extension.id):
            message = translatable("extensions.csv, {id}: several students have this id.")
        notes.append(tr(message, id=repr(extension.id)))
    return list(dict.fromkeys(notes))
