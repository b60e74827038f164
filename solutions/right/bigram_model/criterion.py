import torch.nn as nn


class BigramLanguageModel(nn.Module):
    def __init__(self, vocab_size):
        super(BigramLanguageModel, self).__init__()
        self.vocab_size = vocab_size
        self.token_embedding_table = nn.Embedding(num_embeddings=vocab_size, embedding_dim=vocab_size)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, idx, targets=None):
        logits = self.token_embedding_table(idx)  # (B, T, C)
        loss = None
        if targets is not None:
            loss = self.criterion(logits.reshape(-1, self.vocab_size), targets.reshape(-1))
        return logits, loss
