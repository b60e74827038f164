"""Write the pages of one submission, whose failure must not stop the class."""

from pathlib import Path

from graders.classroom.marks import Mark
from graders.language import tr
from graders.results.atomic_write import NotPlain
from graders.results.result import Result
from reports import publish


def publish_page(
    out: Path,
    result: Result,
    mark: Mark | None,
    *,
    force: bool = False,
    made: publish.FindMade = lambda _: None,
) -> str:
    """Write the pages of a submission as `publish_one` does; returns why it could not, if it could not.

    Raises:
        OSError: nothing can be written there: the disk is full, say.
    """
    try:
        publish.publish_one(out, result, mark, force=force, made=made)
    except NotPlain as error:
        return describe_not_plain(error)
    except OSError:
        raise
    except Exception as error:  # the result is saved; one page must not stop the class
        return repr(error)
    return ""


def describe_not_plain(error: NotPlain) -> str:
    """What has the name of a file that is to be written, for staff."""
    return f"{error.filename}: {error.strerror}"


def describe_page_failure(id: str, reason: str) -> str:  # noqa: A002 - the field's name in every result
    """That a submission has a result and no page, for staff."""
    return tr("softmark: no page for {id}: {reason}", id=id, reason=reason)
