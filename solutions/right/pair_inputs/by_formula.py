def pair_inputs(a, b, cls, sep, max_len, pad=0):
    room = max_len - 3
    excess = max(0, len(a) + len(b) - room)
    # First the longer one is brought down to the other, then both lose by turns, b first.
    difference = len(a) - len(b)
    alone = min(excess, abs(difference))
    rest = excess - alone
    keep_a = len(a) - (alone if difference > 0 else 0) - rest // 2
    keep_b = len(b) - (alone if difference < 0 else 0) - (rest + 1) // 2
    tokens = [cls, *a[:keep_a], sep, *b[:keep_b], sep]
    padding = [pad] * (max_len - len(tokens))
    segment = [0 if i < keep_a + 2 else 1 for i in range(len(tokens))]
    return tokens + padding, segment + [0] * len(padding), [1] * len(tokens) + [0] * len(padding)
