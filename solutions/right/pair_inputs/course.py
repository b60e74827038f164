def pair_inputs(a, b, cls, sep, max_len, pad=0):
    a, b = list(a), list(b)
    while len(a) + len(b) + 3 > max_len:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()

    ids = [cls] + a + [sep] + b + [sep]
    types = [0] * (len(a) + 2) + [1] * (len(b) + 1)
    mask = [1] * len(ids)
    while len(ids) < max_len:
        ids.append(pad)
        types.append(0)
        mask.append(0)
    return ids, types, mask
