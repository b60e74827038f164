"""What an option is for: the headings of a long help, in their order."""

from enum import Enum

from graders.language import translatable


class Purpose(Enum):
    """The purpose of an option; the value is its heading."""

    WORK = translatable("What is checked:")
    SUBMISSIONS = translatable("Which submissions:")
    OUTPUT = translatable("What is shown and written:")
    HANDOUT = translatable("What students get:")
    TIMING = translatable("Timing:")
    HEADS = translatable("Attention maps:")
    BOX = translatable("The box and its limits:")
    MACHINES = translatable("Processes and machines:")
    GENERAL = translatable("General:")
