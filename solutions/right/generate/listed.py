import torch


def generate(model, idx, max_new_tokens, block_size):
    columns = list(idx.unbind(1))
    while len(columns) < idx.shape[1] + max_new_tokens:
        given = torch.stack(columns[-block_size:], dim=1)
        out = model(given)
        logits = (out if isinstance(out, tuple) else (out, None))[0]
        log_p = logits.select(1, given.shape[1] - 1).log_softmax(-1)
        columns.append(torch.multinomial(log_p.exp(), 1, replacement=True).squeeze(-1))
    return torch.stack(columns, dim=1)
