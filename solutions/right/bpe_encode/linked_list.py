import heapq


def bpe_encode(text, merges):
    ids = list(text.encode("utf-8"))
    following = list(range(1, len(ids) + 1))
    before = list(range(-1, len(ids) - 1))
    alive = [True] * len(ids)
    ranks = {(a, b): n for n, (a, b) in enumerate(merges)}
    queue = []

    def push(left):
        if left >= 0 and following[left] < len(ids):
            pair = ids[left], ids[following[left]]
            if pair in ranks:
                heapq.heappush(queue, (ranks[pair], left, following[left], pair))

    for place in range(len(ids)):
        push(place)
    while queue:
        rank, left, right, pair = heapq.heappop(queue)
        fits = alive[left] and right < len(ids) and alive[right] and following[left] == right
        if not fits or (ids[left], ids[right]) != pair:
            continue
        ids[left], alive[right] = 256 + rank, False
        following[left] = following[right]
        if following[right] < len(ids):
            before[following[right]] = left
        push(before[left])
        push(left)
    return [number for number, kept in zip(ids, alive) if kept]
