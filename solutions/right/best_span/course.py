def best_span(start_logits, end_logits, max_len):
    best, best_score = None, float("-inf")
    S = len(start_logits)
    for i in range(S):
        for j in range(i, min(i + max_len, S)):
            score = start_logits[i] + end_logits[j]
            if score > best_score:
                best, best_score = (i, j), score
    return best
