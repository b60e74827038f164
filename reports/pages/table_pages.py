"""The table of a large class, on several pages, and a page that searches all of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graders.language import tr
from graders.results.result import Result
from reports import words
from reports.class_statistics import tally
from reports.class_statistics.rows import ClassRows
from reports.pages.class_table import column_values, row_values
from reports.pages.templating import fill, read_script

MAX_ROWS = 2_000  # rows on one page; a class with more gets several
ROWS = 1_000  # rows on each of several pages
SEARCH = "submissions.html"
PATTERN = "submissions*.html"  # no id of a submission ends so


@dataclass(frozen=True)
class TablePage:
    """A page of the table: its file, its number from 1, the number of its first row, and its rows."""

    file: str
    number: int
    start: int
    rows: ClassRows

    @property
    def first(self) -> str:
        """The id of the first row."""
        return self.rows.rows[0].id

    @property
    def last(self) -> str:
        """The id of the last row."""
        return self.rows.rows[-1].id


def split_table(class_rows: ClassRows) -> list[TablePage]:
    """The pages of a table."""
    starts = range(0, len(class_rows.rows), ROWS)
    return [
        TablePage(
            f"submissions-{number:03}.html",
            number,
            start + 1,
            ClassRows(class_rows.rows[start : start + ROWS]),
        )
        for number, start in enumerate(starts, 1)
    ]


def render_table_pages(
    pages: Sequence[TablePage], class_rows: ClassRows, results: Sequence[Result]
) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the search and of each page, one at a time."""
    title = " · ".join(dict.fromkeys(result.title for result in results)) or tr("No submissions")
    yield (
        SEARCH,
        fill(
            "class_search.html.j2",
            title=title,
            pages=pages,
            count=len(class_rows.rows),
            lines=_search_lines(class_rows),
            script=read_script("find.js"),
        ),
    )
    script = read_script("class.js", "walk.js")
    names, values = list(tally.exercise_titles(results)), column_values(class_rows, results)
    for page in pages:
        yield (
            page.file,
            fill(
                "class_part.html.j2",
                title=title,
                pages=pages,
                page=page,
                script=script,
                frames=True,
                handed_in=[],
                **values,
                **row_values(page.rows, names),
            ),
        )


def _search_lines(class_rows: ClassRows) -> str:
    """For each row a line for the script: name, id, group, points, and whether there is a page of it."""
    lines = []
    for row in class_rows.rows:
        points = "–" if row.points is None else words.points(row.points)
        cells = (row.name, "" if row.id == row.name else row.id, row.group, points, "1" if row.link else "")
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "\n".join(lines)
