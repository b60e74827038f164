"""What forgotten imports cost: one small check in one exercise, however many names are not imported."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.course.check_points import IMPORTS, points_for_imports
from graders.course.exercise import Exercise
from graders.extraction.forgotten_imports import SuppliedImport
from graders.help.topics import with_topic
from graders.judging import score
from graders.language import tr, translatable
from graders.results.result import ExerciseResult, Finding, Outcome

CHECK = IMPORTS
SAYS = translatable("the code imports every package that it uses")


@dataclass(frozen=True)
class ForgottenImports:
    """The imports that were supplied to a submission, and the first exercise that needs one."""

    exercise: str | None
    supplied: tuple[SuppliedImport, ...]

    @classmethod
    def of(cls, sources: Sequence[tuple[str, Sequence[SuppliedImport]]]) -> "ForgottenImports":
        """Gather the imports that were supplied to each exercise's source, in the course's order."""
        first = next((name for name, supplied in sources if supplied), None)
        by_name = {one.name: one for _, supplied in reversed(sources) for one in reversed(supplied)}
        return cls(first, tuple(sorted(by_name.values(), key=lambda one: one.name)))

    def charge(self, exercise: Exercise, result: ExerciseResult) -> ExerciseResult:
        """The exercise's result, with the failed check on imports if this is the exercise that pays for them.

        The points of the check are taken from all others in proportion, so that the exercise keeps its total.
        """
        if exercise.name != self.exercise or not result.findings:
            return result
        points = points_for_imports(result.max_points)
        left = 1 - points / result.max_points
        findings = [
            replace(f, points=round(f.points * left, 4), max_points=round(f.max_points * left, 4))
            for f in result.findings
        ]
        whole = score.with_findings(exercise, result, [*findings, self._finding(points)])
        return replace(whole, not_counted=round(result.not_counted * left, 2))

    def _finding(self, points: float) -> Finding:
        names = ", ".join(one.name for one in self.supplied)
        imports = ", ".join(f"`{one.statement}`" for one in self.supplied)
        message = tr(
            "not imported: {names}. Add {imports}; all the rest was judged as if you had.",
            names=names,
            imports=imports,
        )
        place = self.supplied[0].place
        message = with_topic(message, "imports")
        return Finding(
            check=CHECK,
            outcome=Outcome.FAILED,
            points=0,
            max_points=points,
            says=tr(SAYS),
            message=message,
            place=place,
        )
