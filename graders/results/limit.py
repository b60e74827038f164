"""The limits and rules of the sandbox that stop a student's code."""

from enum import StrEnum, unique


@unique
class Limit(StrEnum):
    """A limit that the student's code reached, or a rule of the sandbox that it broke.

    Attributes:
        TIME: wall-clock or processor time.
        MEMORY: memory.
        OUTPUT: the bytes that are printed.
        ANSWER_SIZE: the bytes or values of one answer.
        PROCESSES: the number of processes and threads, or a program that may not be started.
        SHARED_MEMORY: memory that is shared between processes.
        FILES: a file that cannot be read or written, or the number or size of files.
        NETWORK: a network connection.
        PACKAGES: a package that is not installed.
        GPU: a GPU, where there is none.
        CHANNEL: the channel between the student's process and the grader, which is for answers alone.
    """

    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"
    ANSWER_SIZE = "answer size"
    PROCESSES = "processes"
    SHARED_MEMORY = "shared memory"
    FILES = "files"
    NETWORK = "network"
    PACKAGES = "packages"
    GPU = "gpu"
    CHANNEL = "channel"
