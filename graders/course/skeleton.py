"""A new exercise: its files, which are a small exercise that works, and its line in course.toml."""

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

from graders.language import Language
from graders.locations import CourseFolder

_SKELETONS = Path(__file__).parent / "skeletons"
_CELL = re.compile(r'^# %% \[markdown\] lang="(\w+)"\n(?:#.*\n)*\n', re.MULTILINE)
_RIGHT = "right_"  # how the name of a skeleton of a right answer begins; its style follows


@dataclass(frozen=True)
class NewExercise:
    """What is to be begun: a symbol with a capital letter is a module, any other a function."""

    name: str
    symbol: str
    title: str
    title_fr: str | None
    points: float

    @property
    def course_line(self) -> str:
        """Its line in course.toml, with a French title if it has one."""
        french = f' title_fr = "{self.title_fr}",' if self.title_fr else ""
        return f'    {{ name = "{self.name}", title = "{self.title}",{french} points = {self.points:g} }},'

    def files(self, folder: CourseFolder) -> dict[Path, str]:
        """The texts of its files, in both languages, by their places in the folder of a course."""
        kind = "module" if self.symbol[:1].isupper() else "function"
        values = {"symbol": self.symbol, "title": self.title, "title_fr": self.title_fr or self.title}
        return {
            self._place(path.stem, folder): Template(path.read_text(encoding="utf-8")).substitute(values)
            for path in sorted((_SKELETONS / kind).glob("*.txt"))
        }

    def _place(self, part: str, folder: CourseFolder) -> Path:
        if part.startswith(_RIGHT):
            return folder.solutions / "right" / self.name / f"{part.removeprefix(_RIGHT)}.py"
        lies_in = {"assignment": folder.assignments, "checks": folder.checks, "solution": folder.solutions}
        return lies_in[part] / f"{self.name}.py"


def keep_cells(text: str, language: Language) -> str:
    """A skeleton's text without the Markdown cells in the other language."""
    return _CELL.sub(lambda cell: cell[0] if cell[1] == language else "", text)
