def replace(ids, pair, new):
    out, skip = [], False
    for left, right in zip(ids, ids[1:] + [None]):
        if skip:
            skip = False
        elif (left, right) == pair:
            out.append(new)
            skip = True
        else:
            out.append(left)
    return out


def train_bpe(text, num_merges, ids=None, new=256):
    ids = list(text.encode("utf-8")) if ids is None else ids
    if num_merges == 0 or len(ids) < 2:
        return []
    pairs = list(zip(ids, ids[1:]))
    pair = max(dict.fromkeys(pairs), key=pairs.count)
    return [pair] + train_bpe(text, num_merges - 1, replace(ids, pair, new), new + 1)
