class AdamW:
    def __init__(self, params, lr, betas, eps, weight_decay):
        self.params = list(params)
        self.lr, self.betas, self.eps, self.weight_decay = lr, betas, eps, weight_decay
        self.state = {}

    def step(self, grads):
        for index, (param, grad) in enumerate(zip(self.params, grads)):
            state = self.state[index]
            state["step"] += 1
            b1, b2 = self.betas
            state["m"] = state["m"] * b1 + grad * (1.0 - b1)
            state["v"] = state["v"] * b2 + grad.square() * (1.0 - b2)
            m_hat = state["m"] / (1.0 - b1 ** state["step"])
            v_hat = state["v"] / (1.0 - b2 ** state["step"])
            param = param - self.lr * self.weight_decay * param
            self.params[index] = param - self.lr * m_hat / (v_hat**0.5 + self.eps)


def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    optimizer = AdamW([p], lr, betas, eps, weight_decay)
    optimizer.state[0] = {"step": t - 1, "m": m, "v": v}
    optimizer.step([g])
    return optimizer.params[0], optimizer.state[0]["m"], optimizer.state[0]["v"]
