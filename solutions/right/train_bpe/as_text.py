def train_bpe(text, num_merges):
    symbols = "".join(chr(byte) for byte in text.encode("utf-8"))
    merges = []
    for step in range(num_merges):
        best, most = None, 0
        for i in range(len(symbols) - 1):
            pair = symbols[i : i + 2]
            count = sum(symbols.startswith(pair, j) for j in range(len(symbols) - 1))
            if count > most:
                best, most = pair, count
        if best is None:
            break
        merges.append((ord(best[0]), ord(best[1])))
        symbols = symbols.replace(best, chr(256 + step))
    return merges
