from collections import defaultdict


class BytePairTrainer:
    def __init__(self, text):
        self.ids = [int(byte) for byte in text.encode()]
        self.merges = []

    def most_frequent(self):
        frequency, place = defaultdict(int), {}
        for i in range(len(self.ids) - 1):
            pair = self.ids[i], self.ids[i + 1]
            frequency[pair] += 1
            place.setdefault(pair, i)
        if not frequency:
            return None
        return min(frequency, key=lambda pair: (-frequency[pair], place[pair]))

    def apply(self, pair, new):
        result = []
        for token in self.ids:
            result.append(token)
            if tuple(result[-2:]) == pair:
                result[-2:] = [new]
        self.ids = result

    def fit(self, count):
        for number in range(count):
            pair = self.most_frequent()
            if pair is None:
                return self.merges
            self.apply(pair, 256 + number)
            self.merges.append(pair)
        return self.merges


def train_bpe(text, num_merges):
    return BytePairTrainer(text).fit(num_merges)
