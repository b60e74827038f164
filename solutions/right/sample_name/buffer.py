import torch


def sample_name(model, stop_id, max_len):
    training = model.training
    model.eval()
    ids = torch.zeros(1, max_len + 1, dtype=torch.int64)
    ids[0, 0] = stop_id
    length = 0
    for i in range(max_len):
        with torch.no_grad():
            weights = model(ids[:, : i + 1])[0, i].exp()
        ids[0, i + 1] = torch.multinomial(weights / weights.sum(), 1)
        if ids[0, i + 1] == stop_id:
            break
        length += 1
    model.train(training)
    return ids[0, 1 : length + 1].tolist()
