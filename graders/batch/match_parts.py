"""Whether parts belong to one run, and if not, what differs."""

from collections.abc import Iterator, Sequence

from graders.batch.differing_facts import differing_facts
from graders.batch.part_record import Part
from graders.batch.read_part import BadPartFolder, PartFolder, read_class_of
from graders.classroom.class_record import ClassRecord
from graders.course.course_table import without
from graders.language import list_names, tr, translatable, trn
from graders.safe_text import safe_text

NAMED = 5  # differences named in one sentence


def require_one_run(parts: Sequence[PartFolder]) -> ClassRecord:
    """Require that all parts are of one run over one class, each there once; returns the class.

    Raises:
        BadPartFolder: they are not; the text names what differs.
    """
    first = parts[0]
    by_number: dict[int, PartFolder] = {}
    for part in parts:
        _require_same_split(first, part)
        other = by_number.setdefault(part.record.part.number, part)
        if other is not part:
            message = translatable("part {part} is there twice, in {first} and in {second}")
            raise BadPartFolder(tr(message, part=part.record.part, first=other.path, second=part.path))
        _require_same_facts(first, part)
    class_record, _ = read_class_of(first)
    for part in parts:
        if part.class_digest != first.class_digest:
            raise BadPartFolder(_describe_other_class(first, class_record, part))
        if _course_of(part) != _course_of(first):
            message = translatable("the course's file (--course) differs in {first} and {second}")
            raise BadPartFolder(tr(message, first=first.path, second=part.path))
        _require_own_submissions(part, class_record)
    return class_record


def _course_of(part: PartFolder) -> bytes | None:
    """The course's file without its place, which may be another on each machine."""
    return None if part.course is None else without(part.course, "folder")


def missing_parts(parts: Sequence[PartFolder]) -> list[Part]:
    """The parts of the class that are not among these."""
    of = parts[0].record.part.of
    there = {part.record.part.number for part in parts}
    return [Part(number, of) for number in range(1, of + 1) if number not in there]


def _require_same_split(first: PartFolder, part: PartFolder) -> None:
    if part.record.part.of != first.record.part.of:
        message = translatable(
            "the class was split into other parts: {first} is part {one}, {second} is part {other}"
        )
        one, other = first.record.part, part.record.part
        raise BadPartFolder(tr(message, first=first.path, one=one, second=part.path, other=other))


def _require_same_facts(first: PartFolder, part: PartFolder) -> None:
    if part.record.run == first.record.run:
        return
    sentences = list(_differences(first, part))
    shown, left = "; ".join(sentences[:NAMED]), len(sentences) - NAMED
    if left > 0:
        shown = trn("{names}; and {n} more", "{names}; and {n} more", left, names=shown)
    message = translatable(
        "these parts are not of one run, so that equal submissions may have other results: {differences}"
    )
    raise BadPartFolder(tr(message, differences=shown))


def _differences(first: PartFolder, part: PartFolder) -> Iterator[str]:
    ours, theirs = first.record.facts, part.record.facts
    for what, one, other in differing_facts(ours, theirs):
        message = translatable("{what}: {one} in {first}, {other} in {second}")
        yield tr(message, what=what, one=one, other=other, first=first.path, second=part.path)


def _describe_other_class(first: PartFolder, class_record: ClassRecord, part: PartFolder) -> str:
    other, _ = read_class_of(part)
    ours, theirs = ({hand_in.id for hand_in in record.hand_ins} for record in (class_record, other))
    only = sorted(ours - theirs), sorted(theirs - ours)
    what = [
        tr("only {folder} has {names}", folder=folder.path, names=list_names(names))
        for folder, names in zip((first, part), only, strict=True)
        if names
    ]
    if not what:
        what = [tr("the roster, times or places of the submissions differ")]
    message = translatable("{first} and {second} saw another class: {what}")
    return tr(message, first=first.path, second=part.path, what="; ".join(what))


def _require_own_submissions(part: PartFolder, class_record: ClassRecord) -> None:
    own = {hand_in.id for hand_in in class_record.hand_ins if part.record.part.has(hand_in.id)}
    if own != part.record.keys.keys():
        names = list_names([safe_text(name, 100) for name in sorted(own ^ part.record.keys.keys())])
        message = translatable("{folder}: these do not belong to part {part}, or are not in it: {names}")
        raise BadPartFolder(tr(message, folder=part.path, part=part.record.part, names=names))
