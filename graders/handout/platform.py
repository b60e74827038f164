"""Where students get a handout from and hand in."""

from collections.abc import Mapping
from typing import Literal, get_args

Platform = Literal["github", "classroom50", "gradescope", "moodle", "colab"]
PLATFORMS: tuple[Platform, ...] = get_args(Platform)
# Bytes of a file beyond which a push is refused (docs.github.com, "About large files on GitHub").
_LARGEST_FILE: Mapping[Platform, int] = dict.fromkeys(("github", "classroom50"), 100 << 20)


def too_large_files(platform: Platform, files: Mapping[str, bytes]) -> list[str]:
    """The names of the files that the platform refuses for their size."""
    largest = _LARGEST_FILE.get(platform)
    return [] if largest is None else [name for name, data in files.items() if len(data) > largest]
