"""Read all results of a class, in several processes where there are many."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from graders.batch.process_pool import WorkerDied, spread
from graders.cli.jobs_option import default_jobs
from graders.results.compact import share
from graders.results.result import Result
from reports import publish

FEW = 200  # results that are read as fast in one process
BLOCK = 50  # results that are read at a time: to send each alone takes as long as to read it


def load_class(
    out: Path, loaded: Mapping[str, Result] = MappingProxyType({})
) -> tuple[list[Result], list[str]]:
    """The same as `publish.load_results`, faster and in less memory.

    What is read leaves holes in the memory of a process, between the small parts that are kept of it. So
    other processes read, and this one gets compact results.
    """
    return publish.load_results(out, loaded, _read_all)


def _read_all(paths: list[Path]) -> Iterator[Result | str]:
    if len(paths) <= FEW:
        yield from map(publish.read_compact, paths)
        return
    blocks = [paths[start : start + BLOCK] for start in range(0, len(paths), BLOCK)]
    for _, results in spread(blocks, _read_block, default_jobs()):
        if isinstance(results, WorkerDied):
            raise OSError(str(results))
        for result in results:
            yield share(result) if isinstance(result, Result) else result


def _read_block(block: list[Path]) -> list[Result | str]:
    return [publish.read_compact(path) for path in block]
