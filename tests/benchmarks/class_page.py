"""What the page of a large class costs: bytes, seconds to render, and in a browser to paint, sort and filter.

    .venv/bin/python -m tests.benchmarks.class_page [SUBMISSIONS]

The browser is headless Chromium, where there is one; each of its figures ends when the next frame is painted.
"""

import resource
import sys
import time

from reports.pages import class_page
from tests.reports import class_of_many
from tests.support import browser, devtools

QUESTION = """
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const figures = {
    "first paint": paint ? paint.startTime : NaN,
    "loaded": performance.getEntriesByType("navigation")[0].loadEventEnd,
  };
  const timed = async (name, act) => {
    const start = performance.now();
    act();
    await frame();
    figures[name] = performance.now() - start;
  };
  const [names, points] = document.querySelectorAll("table.class thead button");
  await timed("sort by points", () => points.click());
  await timed("sort by points again", () => points.click());
  await timed("sort by name", () => names.click());
  const [text, , outcome] = document.querySelectorAll(".tools input, .tools select");
  const put = (field, value) => { field.value = value; field.dispatchEvent(new Event("input")); };
  await timed("filter by name", () => put(text, "martin"));
  await timed("filter by outcome", () => put(outcome, "timed_out"));
  await timed("show all", () => document.querySelector(".tools button").click());
  return figures;
"""


def main(count: int) -> None:
    """Print a table: what, and how much."""
    results = class_of_many.results(count)
    marks = class_of_many.marks(results)
    class_page.render(results[:1])  # what is imported and compiled once
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    page = class_page.render(results, (), marks)
    spent = time.perf_counter() - started
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1000
    show("submissions", f"{count}")
    show("size", f"{len(page.encode()):,} bytes")
    show("rendering", f"{spent:.2f} s, {more:.0f} MB")
    if devtools.CHROMIUM is None:
        show("browser", "there is no chromium here")
        return
    for name, milliseconds in browser.asked(page, QUESTION).items():
        show(name, "not told" if milliseconds is None else f"{milliseconds:.0f} ms")


def show(what: str, figure: str) -> None:
    """One line of the table."""
    print(f"{what:24} {figure:>20}")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
