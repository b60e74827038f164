"""Answers with a dictionary in a dictionary in a dictionary, five to the fifteenth of them.

checks: puts_each_head_in_its_columns
outcome: failed or raised or timed_out or out_of_memory
"""


def concat_heads(x):
    value = {"x": x}
    for _ in range(15):
        value = {"a": value, "b": value, "c": value, "d": value, "e": value}
    return value
