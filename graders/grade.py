"""Grade one submission, step by step. Read this file first: `Grader.grade`, then `_judge_all` and `_judge`.

submission   `read`              a file, a folder or a zip -> its cells
source       `extract`           cells -> only the statements that an exercise's symbol needs
candidate    `RemoteCandidate`   the source in a process of the box -> something to call
checks       `judge_exercise`    every check on all its draws -> findings, and the exercise's result
result       `submission_result` the exercises' results -> the submission's
"""

import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.course.exercise import Assignment, Exercise
from graders.extraction.extract import Missing, Program, Source, extract, study
from graders.extraction.forgotten_imports import SuppliedImport
from graders.extraction.other_names import extract_by_names
from graders.extraction.rivals import Rival, find_equals, find_rivals, remark_on_choice
from graders.judging import score
from graders.judging.ask_again import Recorder, ask_again
from graders.judging.assign_arguments import assign_arguments
from graders.judging.draws import Draws
from graders.judging.find_departure import find_departure
from graders.judging.find_repair import find_repairs
from graders.judging.growth_finding import GrowthVerdict
from graders.judging.import_points import ForgottenImports
from graders.judging.judge import Judge
from graders.judging.judge_exercise import is_found_wrong, judge_exercise
from graders.judging.load_candidate import load_candidate
from graders.judging.part_verdicts import PartVerdicts
from graders.results.measurements import Timing
from graders.results.result import ExerciseResult, Finding, Outcome, Remark, Result, SubmissionInfo
from graders.sandbox.box import Box
from graders.sandbox.own_time import TimeBudget
from graders.sandbox.process_lost import submission_time
from graders.sandbox.session import BoxSession
from graders.submission.kept_texts import keep_texts
from graders.submission.read import Submission, Unreadable, describe_unread, read
from graders.submission.resource_bounds import bound_resources
from graders.timing.growth_check import judge_growth
from graders.timing.stopwatch import Stopwatch
from graders.trained.held_out import make_evaluation_set
from graders.trained.judge_model import Version, judge_models


@dataclass(frozen=True)
class Code:
    """The code of an exercise's symbol, and of the symbols that may come with it."""

    source: Source | Missing
    beside: Mapping[str, Source | Missing]


@dataclass(frozen=True)
class Grader:
    """Grades submissions to one assignment: the same draws and the same box for any number of them.

    With a `stopwatch`, code that passes all checks is timed, where its exercise says how. Without
    `names_mistakes`, failed checks are not explained by known mistakes, which takes as long as the checks.
    One that `finds_places` looks for edits after which wrong code is right. Results `for_staff` have these
    edits; those for students have their places alone.
    """

    assignment: Assignment
    draws: Draws
    box: Box
    stopwatch: Stopwatch | None = None
    whole: Assignment | None = None
    names_mistakes: bool = True
    finds_places: bool = False
    for_staff: bool = False

    def only(self, exercises: tuple[str, ...]) -> "Grader":
        """The same for these exercises alone, each with the points that it has in the whole."""
        return replace(self, assignment=self.assignment.only(exercises), whole=self.whole or self.assignment)

    def grade(self, path: Path, name: str, known: dict[str, bool] | None = None) -> Result:
        """Grade what lies at `path`. Whatever that is, a result comes back.

        Args:
            path: a notebook, a module, a folder or a zip.
            name: whose it is.
            known: which of its parts are wrong, by their symbols, from earlier calls; this one adds to it.
        """
        info = SubmissionInfo(name, (path.name,), "")
        try:
            with bound_resources():
                submission = read(path, name)
                program = study(submission, [exercise.symbol for exercise in self._all_exercises])
                codes = Codes(program)
                for exercise in self.assignment.exercises:
                    codes.of(exercise)
            result = self._judge_all(submission, codes, [*submission.remarks, *program.remarks], known)
            unused = self.draws.describe_unused_keys(self.assignment.name, self.assignment.exercises)
            remarks = (*map(Remark, unused), *result.remarks)
            return replace(result, remarks=remarks, texts=keep_texts(submission))
        except Unreadable as problem:
            return self._unreadable(info, str(problem))
        except Exception:  # a fault of ours on one submission must not cost the others anything
            staff = traceback.format_exc(limit=-6)
            return score.broken_result(self.assignment, info, staff, self._run)
        finally:
            self.draws.save()

    @contextmanager
    def candidate_at(self, path: Path) -> Iterator[RemoteCandidate | None]:
        """In the block, the code at `path` for the only exercise, its arguments bound as when it is graded.

        None where there is none, or it cannot be called. For audits, which compare it with code of ours.
        """
        with self.judge_at(path) as judge:
            yield None if judge is None else judge.candidate

    @contextmanager
    def judge_at(self, path: Path) -> Iterator[Judge | None]:
        """In the block, the judge of that code; for audits, which try single draws."""
        [exercise] = self.assignment.exercises
        with bound_resources():
            source = Codes(study(read(path, path.stem))).of(exercise).source
        if isinstance(source, Missing):
            yield None
            return
        with BoxSession(self.box, TimeBudget([submission_time(self.box.limits)])) as session:
            candidate = self._candidate(exercise, source, session)
            if load_candidate(exercise, candidate, self.draws) is not None:
                yield None
                return
            yield assign_arguments(Judge(exercise, self.draws, session, candidate))

    def _judge_all(
        self,
        submission: Submission,
        codes: "Codes",
        remarks: list[Remark],
        known: dict[str, bool] | None,
    ) -> Result:
        pairs = [(exercise, codes.of(exercise)) for exercise in self.assignment.exercises]
        prepare(self.draws, (exercise for exercise, code in pairs if isinstance(code.source, Source)))
        forgotten = self._forgotten_imports(codes)
        judged: list[tuple[Exercise, ExerciseResult, Recorder]] = []
        spending = TimeBudget([submission_time(self.box.limits)])
        with BoxSession(self.box, spending) as session:

            def find_out(part: Exercise) -> bool:
                session.close()  # one process at a time
                with bound_resources():
                    source = codes.of(part).source
                return self._is_wrong(part, source, spending, verdicts)

            verdicts = PartVerdicts(self._all_exercises, find_out, known)
            for exercise, code in pairs:
                remarks += code.source.remarks
                recorder = Recorder(self.draws.seed)
                result = self._judge(
                    exercise=exercise,
                    code=code,
                    submission=submission,
                    session=session,
                    remarks=remarks,
                    verdicts=verdicts,
                    codes=codes,
                    recorder=recorder,
                )
                verdicts.learn(exercise, result)
                judged.append((exercise, result, recorder))
        again = zip((exercise for exercise, _ in pairs), ask_again(self.box, judged), strict=True)
        results = [forgotten.charge(exercise, result) for exercise, result in again]
        names = tuple(file.name for file in (*submission.files, submission.checkpoint) if file)
        info = SubmissionInfo(submission.id, names, submission.sha256)
        return self._total(info, results, remarks)

    def _judge(
        self,
        exercise: Exercise,
        code: Code,
        submission: Submission,
        session: BoxSession,
        remarks: list[Remark],
        verdicts: PartVerdicts,
        codes: "Codes",
        recorder: Recorder,
    ) -> ExerciseResult:
        source = code.source
        if exercise.fault is not None:
            return score.broken_file_result(exercise, exercise.fault)
        if isinstance(source, Missing):
            source = blame_unread_files(source, submission)
            result = score.unjudged_result(exercise, source.outcome, source.says, source.definitions)
            return score.at_place(result, source.place)
        with bound_resources():
            versions = codes.versions(exercise)
        if exercise.rule is not None:
            session.close()  # one process at a time
            spent = session.spent(exactly=False)
            return judge_models(
                exercise=exercise,
                submission=submission,
                versions=[Version(v.source, v.beside) for v in versions if isinstance(v.source, Source)],
                box=self.box,
                seed=self.draws.seed,
                spent=spent,
            )
        result, candidate = self._judge_source(exercise, source, session, verdicts, recorder)
        if result.points < result.max_points:
            result, candidate = self._try_rivals(
                exercise,
                result,
                candidate,
                session,
                verdicts,
                codes=codes,
                remarks=remarks,
                recorder=recorder,
            )
        remarks += candidate.remarks
        return replace(result, versions=files_of(versions))

    def _judge_source(
        self,
        exercise: Exercise,
        source: Source,
        session: BoxSession,
        verdicts: PartVerdicts,
        recorder: Recorder,
    ) -> tuple[ExerciseResult, RemoteCandidate]:
        candidate = self._candidate(exercise, source, session)
        result = judge_exercise(
            exercise,
            self.draws,
            session,
            candidate,
            partial(verdicts.wrong_parts, exercise, source.names),
            names_mistakes=self.names_mistakes,
            time=lambda: self._time(exercise, candidate.source, session),
            grows=partial(self._judge_growth, candidate.source, session),
            recorder=recorder,
            find_repairs=partial(self._find_repairs, session, verdicts),
        )
        return result, candidate

    def _find_repairs(
        self, session: BoxSession, verdicts: PartVerdicts, judge: Judge, findings: Sequence[Finding]
    ) -> list[Finding]:
        """The findings with the edits after which they hold; their search is not the submission's time."""
        if not self.finds_places:
            return [*findings]
        session.close()
        spending = TimeBudget([submission_time(self.box.limits)])
        new_session = partial(BoxSession, self.box, spending)

        def judge_anew(source: Source) -> Sequence[Finding]:
            with new_session() as proving:
                candidate = self._candidate(judge.exercise, source, proving)
                wrong_parts = partial(verdicts.wrong_parts, judge.exercise, source.names)
                return judge_exercise(
                    judge.exercise, judge.draws, proving, candidate, wrong_parts, names_mistakes=False
                ).findings

        found = find_repairs(judge, findings, judge_anew, new_session)
        found = find_departure(judge, found, new_session)
        return found if self.for_staff else [_without_edits(finding) for finding in found]

    def _try_rivals(
        self,
        exercise: Exercise,
        result: ExerciseResult,
        candidate: RemoteCandidate,
        session: BoxSession,
        verdicts: PartVerdicts,
        *,
        codes: "Codes",
        remarks: list[Remark],
        recorder: Recorder,
    ) -> tuple[ExerciseResult, RemoteCandidate]:
        """The best of several definitions, where the first cannot be asked or nothing speaks for it."""
        first = candidate.source
        unaskable = not _answers(exercise, result) or _asks_for_more(candidate)
        with bound_resources():
            rivals = [rival for rival in codes.rivals(exercise, first) if rival.tied or unaskable]
        for rival in rivals:
            session.close()
            of_rival = Recorder(self.draws.seed)
            other, its_candidate = self._judge_source(exercise, rival.source, session, verdicts, of_rival)
            if other.points > result.points and (rival.tied or _answers(exercise, other)):
                result, candidate, recorder.kept = other, its_candidate, of_rival.kept
        if candidate.source is first:
            return result, candidate
        remark = remark_on_choice(candidate.source, first)
        remarks[:] = [*(r for r in remarks if r not in first.remarks), remark, *candidate.source.remarks]
        codes.choose(exercise, candidate.source)
        return replace(result, staff=result.staff or remark.says), candidate

    def _is_wrong(
        self, part: Exercise, source: Source | Missing, spending: TimeBudget, verdicts: PartVerdicts
    ) -> bool:
        """Whether the code of an exercise is wrong that was not asked for, but is a part of one that was."""
        if part.fault is not None:
            return False
        if isinstance(source, Missing):
            return source.outcome.failed_or_raised or source.outcome.unwritten
        with BoxSession(self.box, spending) as session:
            candidate = self._candidate(part, source, session)
            wrong_parts = partial(verdicts.wrong_parts, part, source.names)
            return is_found_wrong(part, self.draws, session, candidate, wrong_parts)

    def _candidate(self, exercise: Exercise, source: Source, session: BoxSession) -> RemoteCandidate:
        mapping_draws = partial(self.draws.mapping_draws, exercise)
        return RemoteCandidate(session, source, mapping_draws, self.draws.dtype)

    def _time(self, exercise: Exercise, source: Source, session: BoxSession) -> Timing | None:
        if self.stopwatch is None or exercise.options.timed is None:
            return None
        session.close()  # it must not run beside what is timed
        return self.stopwatch.time(exercise, source)

    def _judge_growth(
        self, source: Source, session: BoxSession, check: Check, answers_due: bool = True
    ) -> GrowthVerdict:
        session.close()  # as where it is timed
        return judge_growth(self.box, check, source, answers_due)

    def _unreadable(self, info: SubmissionInfo, message: str) -> Result:
        results = [score.unjudged_result(e, Outcome.UNREADABLE, message) for e in self.assignment.exercises]
        return self._total(info, results, [])

    def _forgotten_imports(self, codes: "Codes") -> ForgottenImports:
        """The imports that the whole submission forgot, where one of the exercises here may pay for them."""

        def supplied_to(exercises: Iterable[Exercise]) -> list[tuple[str, tuple[SuppliedImport, ...]]]:
            sources = [(e.name, codes.of(e).source) for e in exercises if e.rule is None]
            return [(name, s.supplied) for name, s in sources if isinstance(s, Source)]

        own = supplied_to(self.assignment.exercises)
        if not any(supplied for _, supplied in own):
            return ForgottenImports.of(own)
        with bound_resources():
            return ForgottenImports.of(supplied_to(self._all_exercises))

    @property
    def _all_exercises(self) -> tuple[Exercise, ...]:
        """Those of the whole assignment, also where only some are graded."""
        return (self.whole or self.assignment).exercises

    @property
    def _run(self) -> score.Run:
        return score.Run(self.draws.seed, self.box.level, self.box.device)

    def _total(self, info: SubmissionInfo, results: list[ExerciseResult], remarks: list[Remark]) -> Result:
        return score.submission_result(self.assignment, info, results, remarks, self._run)


def _answers(exercise: Exercise, result: ExerciseResult) -> bool:
    """Whether the code answers where it is asked for values, rightly or wrongly."""
    core = {check.name for check in exercise.value_checks if check.core}
    asked = [finding for finding in result.findings if finding.check in core or not core]
    return any(not finding.outcome.stopped for finding in asked)


def _asks_for_more(candidate: RemoteCandidate) -> bool:
    """Whether it must be given what the contract does not have, and got None: half a copy may run so."""
    arguments = {name.rpartition(": ")[2]: given for name, given in candidate.taken.items()}
    return any(given == "None" and name.isidentifier() for name, given in arguments.items())


def _without_edits(finding: Finding) -> Finding:
    return replace(finding, repairs=tuple(replace(repair, edit="") for repair in finding.repairs))


def blame_unread_files(missing: Missing, submission: Submission) -> Missing:
    """The same, as unreadable if a file that could not be read may hold what is absent."""
    absent = missing.outcome is Outcome.NOT_ATTEMPTED and not missing.definitions
    if not absent or not submission.unread:
        return missing
    return replace(missing, outcome=Outcome.UNREADABLE, says=describe_unread(submission.unread))


def files_of(versions: Sequence[Code]) -> tuple[str, ...]:
    """The files of several versions; none where there is one version alone."""
    sources = [version.source for version in versions if isinstance(version.source, Source)]
    return tuple(sorted({source.definitions[0].file for source in sources})) if len(sources) > 1 else ()


def extract_code(program: Program, exercise: Exercise) -> Code:
    """The code of an exercise's symbol, and of each symbol that may come with it."""
    beside = {name: extract(program, name, exercise.handed_out) for name in exercise.options.beside}
    names = exercise.symbol, exercise.options.other_names
    return Code(extract_by_names(program, *names, exercise.handed_out), beside)


class Codes:
    """The code of each exercise of a submission, found when it is first asked for."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._found: dict[str, Code] = {}

    def of(self, exercise: Exercise) -> Code:
        """The code of an exercise."""
        if exercise.name not in self._found:
            self._found[exercise.name] = extract_code(self._program, exercise)
        return self._found[exercise.name]

    def choose(self, exercise: Exercise, source: Source) -> None:
        """Let another definition of the exercise's symbol count."""
        self._found[exercise.name] = replace(self._found[exercise.name], source=source)

    def versions(self, exercise: Exercise) -> list[Code]:
        """The code of an exercise in each file of which nothing says that another is the last one."""
        code = self.of(exercise)
        assert isinstance(code.source, Source)
        sources = find_equals(self._program, code.source.symbol, exercise.handed_out)
        return [code, *(Code(source, self._beside(exercise, code, source)) for source in sources)]

    def _beside(self, exercise: Exercise, code: Code, source: Source) -> Mapping[str, Source | Missing]:
        """What comes with another version: that of the same file, where it has one."""
        file, beside = source.definitions[0].file, dict(code.beside)
        for name in beside:
            for other in find_equals(self._program, name, exercise.handed_out):
                beside[name] = other if other.definitions[0].file == file else beside[name]
        return beside

    def rivals(self, exercise: Exercise, source: Source) -> list[Rival]:
        """The other definitions that may count in the place of the first."""
        return list(find_rivals(self._program, source.symbol, exercise.handed_out))


def prepare(draws: Draws, exercises: Iterable[Exercise]) -> None:
    """Make now what all submissions share: these exercises' draws, and the texts that models are measured on.

    Processes that are forked later share them, and no submission waits for them.
    """
    chosen = [exercise for exercise in exercises if exercise.fault is None]
    for exercise in chosen:
        if exercise.rule is not None:
            make_evaluation_set(exercise.rule, draws.seed)
    draws.prepare(chosen)
    draws.save()
