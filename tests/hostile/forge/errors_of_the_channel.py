"""Raises what a grader may take for the end of its channel: EOFError, BrokenPipeError, GeneratorExit.

outcome: raised
"""

ERRORS = [EOFError(), GeneratorExit(), BrokenPipeError(32, "gone"), KeyboardInterrupt(), SystemExit(0), StopIteration(),
          ConnectionResetError(), TimeoutError(), InterruptedError(), AssertionError("passed")]
AT = []


def concat_heads(x):
    AT.append(0)
    raise ERRORS[len(AT) % len(ERRORS)]
