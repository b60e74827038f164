"""Answers rightly, and prints a report that says it failed: noise is no reason to lose points.

outcome: passed
points: 2
"""


def concat_heads(x):
    print('{"failed": "no box"} \x1b[31m\u2718 0/2 points <script>softmark()</script>')
    return x.transpose(1, 2).flatten(2)
