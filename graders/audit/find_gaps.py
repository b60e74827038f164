"""What the answers that were tried show to be missing: a sentence for the author that says what to do."""

from collections.abc import Iterator

from graders.audit.cheap_mistakes import MOST_KEPT
from graders.audit.try_answer import NO_CHECK
from graders.language import tr
from graders.results.audit_result import AuditedExercise, Kind, Tried
from graders.results.mistakes import join_names
from graders.results.result import Outcome

LEAST_RIGHT = 6  # right answers in other styles, per exercise
LEAST_CORE = 1 / 3  # of the points, for the core checks together
MOST_ON_ITS_WORD = 0.1  # of the points, for all checks that a false report can pass


def find_gaps(audited: AuditedExercise) -> Iterator[str]:
    """The gaps that the answers show.

    Where the reference is not accepted, that is the only one: all others would follow from it.
    """
    refused = [tried for tried in audited.of(Kind.REFERENCE) if tried.outcome != Outcome.PASSED]
    if refused:
        yield from map(_reference_gap, refused)
        return
    yield from _broken_checks(audited)
    yield from _right_answer_gaps(audited)
    yield from _deviation_gaps(audited)
    yield from _weight_gaps(audited)
    yield from _mistake_gaps(audited)
    yield from _check_gaps(audited)
    yield from _empty_answer_gaps(audited)
    yield from _odd_answer_gaps(audited)


def _reference_gap(tried: Tried) -> str:
    if tried.outcome != Outcome.BROKEN:
        return tr("the reference {name} is not accepted: {why}", name=tried.name, why=_why(tried))
    if (tried.message or "").startswith("solutions/"):
        return tr("the reference {name} raises: correct it: {error}", name=tried.name, error=tried.message)
    return _broken_check(tried.failed[0], tried)


def _broken_check(check: str, tried: Tried) -> str:
    return tr(
        "the check {check} itself fails on {answer}: correct it: {error}",
        check=check,
        answer=tried.name,
        error=tried.message,
    )


def _broken_checks(audited: AuditedExercise) -> Iterator[str]:
    """Each check that fails by its own error, once for each error."""
    broken = [tried for tried in audited.tried if _is_broken(tried)]
    for first in {(tried.failed, tried.message): tried for tried in reversed(broken)}.values():
        yield _broken_check(first.failed[0], first)


def _is_broken(tried: Tried) -> bool:
    return tried.outcome == Outcome.BROKEN and tried.kind is not Kind.RIGHT


def _why(tried: Tried) -> str:
    return f"{', '.join(tried.failed)}: {tried.message}" if tried.failed else str(tried.message)


def _right_answer_gaps(audited: AuditedExercise) -> Iterator[str]:
    right = audited.of(Kind.RIGHT)
    for tried in right:
        if tried.outcome != Outcome.PASSED:
            yield tr("the right answer {name} is not accepted: {why}", name=tried.name, why=_why(tried))
    if len(right) < LEAST_RIGHT:
        yield tr(
            "solutions/right/{exercise}/ needs at least {least} right answers in other styles, and has {n}",
            n=len(right),
            exercise=audited.name,
            least=LEAST_RIGHT,
        )


def _deviation_gaps(audited: AuditedExercise) -> Iterator[str]:
    """Answers that are right but for one thing, which lose other checks than the one about it."""
    for tried in audited.of(Kind.DEVIATION):
        due = () if tried.may_lose == NO_CHECK else (tried.may_lose,)
        if tried.failed != due:
            yield tr(
                "{name}, which is right but for one thing, should fail {due}, but fails {failed}: {why}",
                name=tried.name,
                due=tried.may_lose,
                failed=", ".join(tried.failed) or NO_CHECK,
                why=tried.message,
            )


def _weight_gaps(audited: AuditedExercise) -> Iterator[str]:
    """Core checks that weigh too little, checks on a report that weigh too much, and cheap mistakes."""
    on_its_word = sum(check.share for check in audited.checks if check.on_its_word)
    if on_its_word > MOST_ON_ITS_WORD + 1e-9:
        yield tr(
            "the checks with on_its_word=True weigh {percent}% of the points: give them a tenth at most",
            percent=round(100 * on_its_word),
        )
    core = sum(check.share for check in audited.checks if check.core)
    if not core:
        yield tr("no check has core=True: mark the one that compares what is computed with what is due")
    elif core < LEAST_CORE - 1e-9:
        yield tr(
            "the checks with core=True weigh {percent}% of the points: give them at least a third",
            percent=round(100 * core),
        )
    for tried in audited.of(Kind.MISTAKE):
        if tried.cheap:
            yield tr(
                "{name} computes something else than the reference and keeps {percent}% of the points, where"
                " {most}% is the most: give more weight to a check that fails on it ({checks})",
                name=tried.name,
                percent=round(100 * audited.keeps(tried)),
                checks=", ".join(tried.failed),
                most=round(100 * MOST_KEPT),
            )


def _mistake_gaps(audited: AuditedExercise) -> Iterator[str]:
    for tried in audited.of(Kind.MISTAKE):
        if _is_broken(tried):
            continue
        if not tried.failed:
            yield tr("{name} is not caught: add a check that fails on it, or remove it", name=tried.name)
        elif not tried.named:
            yield tr(
                "{name} is not named: add a draw to diagnostic_draws on which it differs from the reference",
                name=tried.name,
            )
        elif not tried.named_as_itself:
            yield tr(
                "{name} is named as {named}: add a draw to diagnostic_draws on which the two differ",
                name=tried.name,
                named=join_names(tried.named),
            )


def _check_gaps(audited: AuditedExercise) -> Iterator[str]:
    for check in audited.checks:
        if not audited.catches(check.name) and not check.kept_because:
            yield tr(
                "the check {name} catches no mistake: add one that it catches, or say in kept_because why it"
                " stays",
                name=check.name,
            )


def _empty_answer_gaps(audited: AuditedExercise) -> Iterator[str]:
    strict = {check.name for check in audited.checks if not check.shape_only}
    for tried in audited.of(Kind.EMPTY):
        for name in sorted(strict - set(tried.failed)) if not _is_broken(tried) else ():
            yield tr(
                "the check {name} lets an empty answer pass ({answer}): compare values in it, or mark it"
                " shape_only=True",
                name=name,
                answer=tried.name,
            )


def _odd_answer_gaps(audited: AuditedExercise) -> Iterator[str]:
    """Odd answers that a check accepts.

    A check that is about shape alone may accept some: it may count parameters and look at no answer.
    """
    strict = {check.name for check in audited.checks if not check.shape_only}
    for tried in audited.of(Kind.ODD):
        for name in sorted(strict - set(tried.failed)) if not _is_broken(tried) else ():
            yield tr(
                "the check {name} accepts {answer}: begin it with tensor(...), number(...) or shaped(...),"
                " which refuse what is of another type",
                name=name,
                answer=tried.name,
            )
