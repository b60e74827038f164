"""The course and the language of a run. Imports no PyTorch."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graders.batch.errors import CannotGrade
from graders.course.course_file import require_course
from graders.course.course_table import BadCourse
from graders.course.open_course import open_course
from graders.language import LANGUAGES, current_language, speaking, tr
from graders.locations import using_course


@contextmanager
def in_course(path: Path | None, language: str | None) -> Iterator[None]:
    """Within the context, read the course from this file, and speak this language.

    Args:
        path: the course's folder or file; None is the course that comes with softmark.
        language: None is the current one.

    Raises:
        CannotGrade: the file cannot be read, or softmark does not speak the language.
    """
    spoken = next((known for known in LANGUAGES if known == (language or current_language())), None)
    if spoken is None:
        known = ", ".join(LANGUAGES)
        raise CannotGrade(tr("there is no language {name}: there are {known}", name=language, known=known))
    with speaking(spoken):
        try:
            course = open_course(path) if path else None
            with using_course(course):
                require_course()
        except BadCourse as error:
            raise CannotGrade(str(error)) from error
        with using_course(course):
            yield
