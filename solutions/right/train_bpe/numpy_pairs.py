import numpy as np


def train_bpe(text, num_merges):
    ids = np.frombuffer(text.encode("utf-8"), dtype=np.uint8).astype(np.int64)
    merges = []
    for number in range(num_merges):
        if len(ids) < 2:
            break
        codes = ids[:-1] * 100_000 + ids[1:]
        values, first, counts = np.unique(codes, return_index=True, return_counts=True)
        best = values[np.lexsort((first, -counts))[0]]
        merges.append((int(best // 100_000), int(best % 100_000)))
        hits = (codes == best).tolist()
        kept, place = [], 0
        while place < len(ids):
            if place < len(hits) and hits[place]:
                kept.append(256 + number)
                place += 2
            else:
                kept.append(int(ids[place]))
                place += 1
        ids = np.array(kept, dtype=np.int64)
    return merges
