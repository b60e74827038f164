"""Read the environment variables of the runner: GitHub Actions, Classroom 50, or none.

No other module reads them. A format that needs a missing variable is refused before anything is graded.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import click

from graders.language import tr
from reports.ci.classroom50 import Identity


@dataclass(frozen=True)
class Runner:
    """The variables that output formats need; a path is None if there is no such file to append to.

    Attributes:
        actions: whether GitHub Actions reads standard output.
        output: the file for the step's outputs.
        summary: the file for the step's summary.
        workspace: the repository's folder; paths are shown relative to it.
    """

    actions: bool
    output: Path | None
    summary: Path | None
    workspace: Path
    variables: Mapping[str, str]

    @classmethod
    def from_environment(cls) -> "Runner":
        """Read the runner of this process."""
        variables = {name: value.strip() for name, value in os.environ.items() if value.strip()}
        return cls(
            actions=variables.get("GITHUB_ACTIONS") == "true",
            output=_path(variables, "GITHUB_OUTPUT"),
            summary=_path(variables, "GITHUB_STEP_SUMMARY"),
            workspace=_path(variables, "GITHUB_WORKSPACE") or Path.cwd(),
            variables=variables,
        )

    def identity(self) -> Identity:
        """The identity of this submission to Classroom 50.

        Raises:
            click.UsageError: variables are missing; the message names all of them.
        """
        variables = self.variables
        tag = variables.get("SUBMISSION_TAG", "")
        required = {
            "CLASSROOM": variables.get("CLASSROOM", ""),
            "ASSIGNMENT": variables.get("ASSIGNMENT", ""),
            "OWNER": variables.get("OWNER") or variables.get("USERNAME", ""),
            "SUBMISSION_TAG": tag,
            "COMMIT_URL": variables.get("COMMIT_URL") or self._url("commit", variables.get("GITHUB_SHA", "")),
            "RELEASE_URL": variables.get("RELEASE_URL") or self._url("releases/tag", tag),
        }
        if missing := ", ".join(name for name, value in required.items() if not value):
            raise click.UsageError(tr("--format classroom50 needs {names} in the environment", names=missing))
        if not tag.startswith("submit/"):
            raise click.UsageError(tr("SUBMISSION_TAG is {tag}: it should begin with submit/", tag=tag))
        return Identity(
            *(required["CLASSROOM"], required["ASSIGNMENT"], variables.get("ASSIGNMENT_TYPE", "individual")),
            *(required["OWNER"], tag, required["COMMIT_URL"], required["RELEASE_URL"]),
            variables.get("REVIEW_URL") or required["COMMIT_URL"],
        )

    def _url(self, kind: str, name: str) -> str:
        """The address of a page of the repository; empty if GitHub Actions does not name the repository."""
        repository = self.variables.get("GITHUB_REPOSITORY")
        server = self.variables.get("GITHUB_SERVER_URL", "https://github.com")
        return f"{server}/{repository}/{kind}/{quote(name, safe='')}" if repository and name else ""


def _path(variables: Mapping[str, str], name: str) -> Path | None:
    return Path(variables[name]) if name in variables else None
