"""Returns containers that contain other things each time they are looked at, and themselves.

outcome: failed or raised or out_of_memory
"""

AT = []


class Mapping(dict):
    def __iter__(self):
        return iter(["answer"])

    def items(self):
        yield "answer", self
        yield [], object()
        yield 3, {1, 2}


class Pair(tuple):
    def __iter__(self):
        return iter([self, self])


def itself():
    values = []
    values.append(values)
    return values


def concat_heads(x):
    AT.append(0)
    return [Mapping(answer=x), Pair((x, x)), itself(), (x,) * 5000, {"\ud800": x}, 10**5000, -0.0][len(AT) % 7]
