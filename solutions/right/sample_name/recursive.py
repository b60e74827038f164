import torch


def continue_name(model, ids, stop_id, left):
    if left == 0:
        return []
    cumulated = model(torch.tensor([ids]))[0, -1].softmax(-1).cumsum(0)
    new = min(int((cumulated < torch.rand(())).sum()), len(cumulated) - 1)
    return [] if new == stop_id else [new, *continue_name(model, [*ids, new], stop_id, left - 1)]


def sample_name(model, stop_id, max_len):
    training = model.training
    try:
        model.eval()
        return continue_name(model, [stop_id], stop_id, max_len)
    finally:
        model.train(training)
