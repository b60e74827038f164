"""The file of a new course of one's own."""

import json
from collections.abc import Sequence

from graders.language import Language, tr

# What stands in the file, with an assignment as an example that is still a comment.
_FILE = """\
[course]
title = {title}
languages = {languages}  # {of_texts}
extends = "softmark"  # {of_extends}
# time_zone = "Europe/Paris"  # {of_zone}

# {of_example}
# [tp1]
# title = "Week 1"
# title_fr = "Semaine 1"
# exercises = [
#     {{ name = "concat_heads", points = 5 }},
# ]
# late = {{ due = 2027-10-01T23:59:00, per_day = 0.1 }}
"""


def course_text(title: str, languages: Sequence[Language]) -> str:
    """The text of course.toml, with remarks in the current language.

    Args:
        title: of the course.
        languages: in which its exercises will be written.
    """
    return _FILE.format(
        title=json.dumps(title, ensure_ascii=False),
        languages=json.dumps([*languages]),
        of_texts=tr("those in which the texts of your exercises are complete"),
        of_extends=tr("brings softmark's assignments and exercises"),
        of_zone=tr("of dates that have no offset"),
        of_example=tr("An assignment has exercises of your own and softmark's, in their order:"),
    )
