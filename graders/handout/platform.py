"""Where students get a handout from and hand in."""

from typing import Literal, get_args

Platform = Literal["github", "classroom50", "gradescope", "moodle", "colab"]
PLATFORMS: tuple[Platform, ...] = get_args(Platform)
