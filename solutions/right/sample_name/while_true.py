import torch


def sample_name(model, stop, limit):
    before = model.training
    model.eval()
    name = []
    with torch.no_grad():
        while True:
            context = torch.tensor([stop] + name).unsqueeze(0)
            p = torch.softmax(model(context)[0, -1], dim=0)
            ix = torch.multinomial(p, 1, replacement=True).item()
            if ix == stop or len(name) == limit:
                break
            name.append(ix)
    if before:
        model.train()
    return name
