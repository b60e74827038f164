"""`%load_ext graders`: `%check NAME` and `check(...)` in a notebook, with the findings below the cell."""

import argparse
import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from IPython.core.error import UsageError
from IPython.display import display

from graders.check_api.without_hypothesis import declared
from graders.language import LANGUAGES, Language, default_language, speaking, text_in, tr
from graders.notebook.collect_seldom import collecting_seldom
from graders.notebook.notebook_folders import current_folder, notebook_folders

if TYPE_CHECKING:
    from graders.notebook.check_live import NotebookChecker, Target

NAME = "check"


class CheckStopped(KeyboardInterrupt):
    """The person stopped the check: no traceback is shown."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class _Line(argparse.ArgumentParser):
    """The arguments of `%check`."""

    def __init__(self) -> None:
        super().__init__(prog=f"%{NAME}", add_help=False)
        self.add_argument("-h", "--help", action="store_true")
        self.add_argument("names", nargs="*")
        self.add_argument("--assignment")
        self.add_argument("--lang", choices=LANGUAGES)

    def error(self, message: str) -> NoReturn:
        """Report a wrong line as one red line, instead of ending the kernel."""
        raise UsageError(f"{message} ({self.format_usage().strip()})")


class Softmark:
    """The extension's commands for a notebook. PyTorch and the checks are imported when first needed."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self._checker: NotebookChecker | None = None
        self._began = current_folder()  # cells may change it
        self._is_settled = False  # whether the course was chosen
        self._course: str | None = None  # which it is, until that was said

    def magic(self, line: str) -> None:
        """Check what is defined in this notebook, in its own interpreter: there is no box around it.

        %check                          all that is defined of an assignment, a line each
        %check concat_heads             an exercise, by its name or by that of the function or class
        %check --lang fr concat_heads   in French
        %check --assignment gpt PositionwiseFeedForward
        %check --help                   this text

        fr: Vérifier ce qui est défini dans ce notebook, dans son propre interpréteur : sans bac à sable.

            %check                          tout ce qui est défini d'un devoir, une ligne pour chaque exercice
            %check concat_heads             un exercice, par son nom ou celui de la fonction ou de la classe
            %check --lang en concat_heads   en anglais
            %check --assignment gpt PositionwiseFeedForward
            %check --help                   ce texte
        """
        try:
            options = _Line().parse_args(shlex.split(line))
        except ValueError as error:
            raise UsageError(str(error)) from None

        if options.help:
            print(text_in(Softmark.magic.__doc__, options.lang or _language()))  # noqa: T201
            return

        def targets(checker: "NotebookChecker", names: dict[str, Any]) -> "Sequence[Target]":
            if options.names:
                return [checker.find_by_name(name, names, options.assignment) for name in options.names]
            return checker.find_defined(names, options.assignment)

        self._show(targets, options.lang, brief=not options.names)

    def check(
        self,
        value: Any,
        name: str | None = None,
        *,
        assignment: str | None = None,
        lang: Language | None = None,
    ) -> None:
        """Check a function or class of this notebook, in its own interpreter: there is no box around it.

        Args:
            value: the function or the class itself, or an exercise's name.
            name: the exercise, where the object has another name.
            assignment: the assignment, where several ask for the same symbol.
            lang: `fr` or `en`; the locale's without it.
        """

        def targets(checker: "NotebookChecker", names: dict[str, Any]) -> "Sequence[Target]":
            if isinstance(value, str):
                return [checker.find_by_name(value, names, assignment)]
            return [checker.find_by_object(value, name, names, assignment)]

        self._show(targets, lang)

    def complete(self, event: Any) -> list[str]:
        """The names that may follow `%check`: those of exercises whose symbol is defined."""
        from graders.course.course_table import BadCourse
        from graders.notebook.find_exercise import symbols_by_exercise

        with contextlib.suppress(BadCourse):  # the check says it
            self._settle_course()
        names = self.shell.user_ns
        pairs = [pair for exercises in symbols_by_exercise().values() for pair in exercises.items()]
        defined = {name for exercise, symbol in pairs if symbol in names for name in (exercise, symbol)}
        return sorted(name for name in defined if name.startswith(event.symbol or ""))

    @declared()
    @collecting_seldom()
    def _show(
        self,
        targets: "Callable[[NotebookChecker, dict[str, Any]], Sequence[Target]]",
        lang: Language | None,
        brief: bool = False,
    ) -> None:
        from graders.course.course_file import course_table
        from graders.course.course_table import BadCourse
        from graders.course.outline import UnknownName
        from graders.notebook.find_exercise import NotCheckable
        from graders.notebook.restore_state import restore_state
        from reports.pages import notebook_cell_output

        names = self.shell.user_ns
        with speaking(lang or _language()):
            try:
                told, self._course = self._settle_course(), None
                with restore_state(names):
                    checker = self._get_checker()
                    found = targets(checker, names)
                    result, stopped = checker.check(found)
                    undefined = checker.find_undefined(found) if brief and not stopped else ()
                    output = notebook_cell_output.render(
                        result,
                        f"softmark-{self.shell.execution_count}",
                        brief=brief,
                        undefined=undefined,
                        unused_keys=checker.unused_keys,
                        link_to=course_table().link_to,
                    )
            except (BadCourse, NotCheckable, UnknownName) as problem:
                raise UsageError(str(problem)) from None
            if told:
                print(told)  # noqa: T201
            display(output)  # type: ignore[no-untyped-call]
            if stopped:
                raise CheckStopped(tr("stopped"))

    def _settle_course(self) -> str | None:
        """Use the course around the folder in which the notebook began; say which, if it was found there."""
        from graders.course.course_around import use_course_around

        if not self._is_settled and self._began is not None:
            self._course = use_course_around(self._began)
            self._is_settled = True
        return self._course

    def _get_checker(self) -> "NotebookChecker":
        from graders.notebook.cell_names import cell_names_of
        from graders.notebook.check_live import NotebookChecker
        from graders.notebook.source_places import Places

        if self._checker is None:
            places = Places(cell_names_of(self.shell))
            self._checker = NotebookChecker(places, lambda: notebook_folders(self.shell.user_ns, self._began))
        return self._checker


def load(shell: Any) -> None:
    """Add the magic, and `check` to the namespace if that name is free."""
    magics = Softmark(shell)
    shell.register_magic_function(magics.magic, "line", NAME)
    shell.set_hook("complete_command", lambda _, event: magics.complete(event), str_key=f"%{NAME}")
    if NAME in shell.user_ns:
        with speaking(_language()):
            sys.stderr.write(tr("check is a name of yours and stays; %check is there") + "\n")
    else:
        shell.push({NAME: magics.check}, interactive=False)


def unload(shell: Any) -> None:
    """Remove the magic and `check`."""
    magic = shell.magics_manager.magics["line"].pop(NAME, None)
    function = shell.user_ns.get(NAME)
    if magic is not None and getattr(function, "__self__", None) is magic.__self__:
        shell.drop_by_id({NAME: function})
    shell.strdispatchers["complete_command"].strs.pop(f"%{NAME}", None)


def _language() -> Language:
    name = os.environ.get("SOFTMARK_LANG", "")
    return next((language for language in LANGUAGES if language == name), default_language())
