def bpe_encode(text, merges, ids=None, number=0):
    ids = list(text.encode("utf-8")) if ids is None else ids
    if number == len(merges):
        return ids
    left, right = merges[number]
    return bpe_encode(text, merges, list(join(ids, left, right, 256 + number)), number + 1)


def join(ids, left, right, new):
    rest = iter([*ids, None])
    number = next(rest)
    for following in rest:
        if number == left and following == right:
            yield new
            number = next(rest, None)
            if number is None:
                return
        else:
            yield number
            number = following
