def bpe_encode(text, merges):
    ids = list(text.encode())
    for new, (left, right) in enumerate(merges, start=256):
        result = []
        for number in ids:
            if result and result[-1] == left and number == right:
                result[-1] = new
            else:
                result.append(number)
        ids = result
    return ids
