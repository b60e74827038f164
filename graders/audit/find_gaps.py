"""What the answers that were tried show to be missing: a sentence for the author that says what to do."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from graders.audit.cheap_mistakes import MOST_KEPT
from graders.judging.nothing_right import MOST
from graders.language import join_names, tr, trn
from graders.results.audit_result import NO_CHECK, AuditedExercise, Kind, Tried
from graders.results.mistakes import join_names as join_mistakes
from graders.results.result import Outcome

LEAST_RIGHT = 6  # right answers in other styles, per exercise
LEAST_CORE = 1 / 3  # of the points, for the core checks together
MOST_ON_ITS_WORD = 0.1  # of the points, for all checks that a false report can pass


def find_gaps(audited: AuditedExercise, *, with_draws: bool = True) -> Iterator[str]:
    """The gaps that the answers show.

    Where the reference is not accepted, that is the only one: all others would follow from it.

    Args:
        audited: the exercise and the answers.
        with_draws: whether there are diagnostic draws: without them no mistake is named, as another gap says.
    """
    refused = [tried for tried in audited.of(Kind.REFERENCE) if tried.outcome != Outcome.PASSED]
    if refused:
        yield from map(_reference_gap, refused)
        return
    yield from _broken_checks(audited)
    yield from _right_answer_gaps(audited)
    yield from _deviation_gaps(audited)
    yield from _weight_gaps(audited)
    yield from _uncaught_gaps(audited)
    if with_draws:
        yield from _naming_gaps(audited)
    yield from _check_gaps(audited)
    yield from _empty_answer_gaps(audited)
    yield from _odd_answer_gaps(audited)
    yield from _hollow_answer_gaps(audited)


def _reference_gap(tried: Tried) -> str:
    if tried.outcome != Outcome.BROKEN:
        return tr("the reference {name} is not accepted: {why}", name=tried.name, why=_why(tried))
    if (tried.message or "").startswith("solutions/"):
        return tr("the reference {name} raises: correct it: {error}", name=tried.name, error=tried.message)
    return _broken_check([tried])


def _broken_check(broken: Sequence[Tried]) -> str:
    return tr(
        "the check {check} itself fails on {answer}: correct it: {error}",
        check=broken[0].failed[0],
        answer=join_names([tried.name for tried in broken]),
        error=broken[0].message,
    )


def _broken_checks(audited: AuditedExercise) -> Iterator[str]:
    """Each check that fails by its own error, once for each line in which it does."""
    broken = [tried for tried in audited.tried if _is_broken(tried)]
    yield from map(_broken_check, _grouped(broken, lambda t: (t.failed, str(t.message).split(": ")[0])))


def _grouped(tried: Iterable[Tried], alike: Callable[[Tried], object]) -> Iterable[list[Tried]]:
    """Answers that show the same gap, in the order of the first of each."""
    groups: dict[object, list[Tried]] = {}
    for one in tried:
        groups.setdefault(alike(one), []).append(one)
    return groups.values()


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
    """Answers that are right but for one thing, which lose other checks than those about it."""
    for tried in audited.of(Kind.DEVIATION):
        if tried.failed != tried.due:
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


def _uncaught_gaps(audited: AuditedExercise) -> Iterator[str]:
    for tried in audited.of(Kind.MISTAKE):
        if not tried.failed:
            yield tr("{name} is not caught: add a check that fails on it, or remove it", name=tried.name)


def _naming_gaps(audited: AuditedExercise) -> Iterator[str]:
    misnamed = [t for t in audited.caught if not t.named_as_itself and not _is_broken(t)]
    for alike in _grouped(misnamed, lambda tried: tried.named):
        names, named = join_names([tried.name for tried in alike]), alike[0].named
        if named:
            yield trn(
                "{name} is named as {named}: add a draw to diagnostic_draws on which the two differ",
                "{name} are named as {named}: add draws to diagnostic_draws on which they differ",
                len(alike),
                name=names,
                named=join_mistakes(named),
            )
        else:
            yield trn(
                "{name} is not named: add a draw to diagnostic_draws on which it differs from the reference",
                "{name} are not named: add draws to diagnostic_draws on which they differ from the reference",
                len(alike),
                name=names,
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
    for name, answers in _accepted_by_strict(audited, Kind.EMPTY):
        yield trn(
            "the check {name} lets an empty answer pass ({answer}): compare values in it, or mark it"
            " shape_only=True",
            "the check {name} lets empty answers pass ({answer}): compare values in it, or mark it"
            " shape_only=True",
            len(answers),
            name=name,
            answer=join_names(answers),
        )


def _odd_answer_gaps(audited: AuditedExercise) -> Iterator[str]:
    """Odd answers that a check accepts.

    A check that is about shape alone may accept some: it may count parameters and look at no answer.
    """
    for name, answers in _accepted_by_strict(audited, Kind.ODD):
        yield tr(
            "the check {name} accepts {answer}: begin it with tensor(...), number(...) or shaped(...),"
            " which refuse what is of another type",
            name=name,
            answer=join_names(answers),
        )


def _accepted_by_strict(audited: AuditedExercise, kind: Kind) -> Iterator[tuple[str, list[str]]]:
    """The checks that are about more than shape and accept answers of this kind, with these answers."""
    tried = [answer for answer in audited.of(kind) if not _is_broken(answer)]
    for name in sorted(check.name for check in audited.checks if not check.shape_only):
        answers = [answer.name for answer in tried if name not in answer.failed]
        if answers:
            yield name, answers


def _hollow_answer_gaps(audited: AuditedExercise) -> Iterator[str]:
    """Answers that have every property, compute nothing and get more than such code may."""
    for tried in audited.of(Kind.HOLLOW):
        if tried.cheap and tried.got is not None:
            yield tr(
                "the hollow answer {name}, which computes nothing that is asked for, gets {percent}% of the "
                "points, where {most}% is the most: let the core checks fail on it",
                name=tried.name,
                percent=round(100 * tried.got),
                most=round(100 * MOST),
            )
