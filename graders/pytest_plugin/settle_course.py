"""Choose the course of a run of pytest: the one around the current folder, else the one of this softmark."""

from pathlib import Path

import pytest

from graders.pytest_plugin.items import speaking_of

_SAID = pytest.StashKey[str | None]()


def settle_course(config: pytest.Config) -> str | None:
    """Choose the course once, until the run ends; return the sentence that says which, if it was found.

    Raises:
        BadCourse: its file cannot be used.
    """
    if _SAID not in config.stash:
        from graders.course.course_around import use_course_around
        from graders.locations import chosen_course, use_course

        before = chosen_course()
        with speaking_of(config):
            config.stash[_SAID] = use_course_around(config.invocation_params.dir, _handed_in(config))
        config.add_cleanup(lambda: use_course(before))
    return config.stash[_SAID]


def _handed_in(config: pytest.Config) -> list[Path]:
    """The folders that are named as submissions: checks that lie in one of them are not run."""
    if not config.getoption("softmark") or config.args_source is not pytest.Config.ArgsSource.ARGS:
        return []
    return [path for path in map(config.invocation_params.dir.joinpath, config.args) if path.is_dir()]
