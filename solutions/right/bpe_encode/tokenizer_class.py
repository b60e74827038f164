class Tokenizer:
    def __init__(self, merges):
        self.merges = {}
        for pair in merges:
            self.merges[tuple(pair)] = 256 + len(self.merges)

    def encode(self, text):
        ids = [int(byte) for byte in text.encode("utf-8")]
        changed = True
        while changed:
            changed, best = False, None
            for i in range(len(ids) - 1):
                new = self.merges.get((ids[i], ids[i + 1]))
                if new is not None and (best is None or new < best):
                    best = new
            if best is not None:
                ids, changed = self.apply(ids, best), True
        return ids

    def apply(self, ids, new):
        pair = next(pair for pair, number in self.merges.items() if number == new)
        out, i = [], 0
        while i < len(ids):
            if tuple(ids[i : i + 2]) == pair:
                out.append(new)
                i += 2
            else:
                out.append(ids[i])
                i += 1
        return out


def bpe_encode(text, merges):
    return Tokenizer(merges).encode(text)
