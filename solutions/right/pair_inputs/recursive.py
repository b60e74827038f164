def truncate(first, second, room):
    if len(first) + len(second) <= room:
        return first, second
    if len(first) > len(second):
        return truncate(first[:-1], second, room)
    return truncate(first, second[:-1], room)


def pair_inputs(a, b, cls, sep, max_len, pad=0):
    a, b = truncate(a, b, max_len - 3)
    rows = [(cls, 0, 1)]
    rows += [(token, 0, 1) for token in a + [sep]]
    rows += [(token, 1, 1) for token in b + [sep]]
    rows += [(pad, 0, 0)] * (max_len - len(rows))
    ids, types, mask = zip(*rows)
    return list(ids), list(types), list(mask)
