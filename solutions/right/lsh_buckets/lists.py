import torch


def lsh_buckets(x, rotations):
    D, R, half = rotations.shape
    vectors = x.reshape(-1, x.shape[-2], D)
    answer = torch.empty(len(vectors), R, x.shape[-2], dtype=torch.long)
    for b, sequence in enumerate(vectors):
        for r in range(R):
            for s, vector in enumerate(sequence):
                products = [float(vector @ rotations[:, r, n]) for n in range(half)]
                both = products + [-p for p in products]
                answer[b, r, s] = r * 2 * half + both.index(max(both))
    return answer.reshape(*x.shape[:-2], R, x.shape[-2])
