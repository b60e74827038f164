"""The reference: `encode`, `decode`, and how a MiniGPT is trained.

    python -m solutions.minigpt TEXT --out DIR

trains on the first nine tenths of a text, measures on the rest, and keeps the best model in
DIR/minigpt.safetensors. Stopped, it goes on where it was.
"""

import dataclasses
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path

import click
import torch
from rich.progress import BarColumn, Progress, TextColumn
from safetensors.torch import save_file

from solutions.minigpt_model import MiniGPT

SHARE = 0.9  # of the text, used for training; the rest is held out


def encode(text, chars):
    ids = {char: number for number, char in enumerate(chars)}
    return [ids[char] for char in text]


def decode(ids, chars):
    return "".join(chars[number] for number in ids)


@dataclass(frozen=True)
class Recipe:
    """Sizes of the model and how it is trained; `patience`: evaluations without improvement to stop after."""

    block_size: int = 128
    n_embd: int = 128
    n_head: int = 4
    n_layer: int = 4
    dropout: float = 0.05
    batch_size: int = 16
    steps: int = 3000
    learning_rate: float = 2e-3
    warmup: int = 100
    weight_decay: float = 0.1
    eval_interval: int = 250
    patience: int = 6
    minutes: float = 15.0
    seed: int = 1337

    def config(self, vocab_size):
        """The arguments of MiniGPT."""
        names = ("block_size", "n_embd", "n_head", "n_layer", "dropout")
        return {"vocab_size": vocab_size, **{name: getattr(self, name) for name in names}}

    def rate(self, step):
        """The learning rate: rising in a straight line, then falling along a cosine to a tenth."""
        if step < self.warmup:
            return self.learning_rate * (step + 1) / self.warmup
        part = (step - self.warmup) / max(1, self.steps - self.warmup)
        return self.learning_rate * (0.1 + 0.45 * (1 + math.cos(math.pi * min(1, part))))


@dataclass
class Course:
    """The state of training that is kept in order to resume it."""

    step: int = 0
    best: float = math.inf
    waited: int = 0
    seconds: float = 0.0
    losses: list = field(default_factory=list)  # [step, train, held out], in nats per character


def get_batch(data, recipe, generator):
    starts = torch.randint(len(data) - recipe.block_size, (recipe.batch_size, 1), generator=generator)
    windows = data[starts + torch.arange(recipe.block_size + 1)]
    return windows[:, :-1], windows[:, 1:]


@torch.no_grad()
def estimate_loss(model, data, recipe, most=200):
    """The mean loss over windows spread evenly over the data: the same each time."""
    count = min(most, (len(data) - 1) // recipe.block_size)
    starts = torch.linspace(0, len(data) - 1 - recipe.block_size, count).long()[:, None]
    windows = data[starts + torch.arange(recipe.block_size + 1)].to(next(model.parameters()).device)
    model.eval()
    losses = [model(part[:, :-1], part[:, 1:])[1] * len(part) for part in windows.split(32)]
    model.train()
    return (sum(losses) / count).item()


class Training:
    """A model in training, and all that is needed to resume: written to `out` at each evaluation."""

    def __init__(self, text, recipe, out, device):
        self.recipe, self.out, self.device = recipe, out, device
        self.chars = "".join(sorted(set(text)))
        data = torch.tensor(encode(text, self.chars))
        cut = int(SHARE * len(data))
        self.train_data, self.held_out = data[:cut], data[cut:]
        torch.manual_seed(recipe.seed)
        self.generator = torch.Generator().manual_seed(recipe.seed)
        self.model = MiniGPT(**recipe.config(len(self.chars))).to(device)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), weight_decay=recipe.weight_decay, betas=(0.9, 0.99), fused=True
        )
        self.course = Course()

    @property
    def kept(self):
        return self.out / "minigpt.resume.pt"

    def resume(self):
        """Go on from what was kept, if that was of the same recipe and text."""
        if not self.kept.exists():
            return
        kept = torch.load(self.kept, map_location="cpu", weights_only=True)
        if kept["recipe"] != self.same():
            raise click.UsageError(f"{self.kept} is of another training: remove it, or choose another folder")
        self.model.load_state_dict(kept["model"])
        self.optimizer.load_state_dict(kept["optimizer"])
        self.generator.set_state(kept["generator"])
        torch.set_rng_state(kept["random"])
        self.course = Course(**kept["course"])

    def keep(self):
        """Write all that is needed to go on, whole or not at all."""
        kept = {
            "recipe": self.same(),
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "generator": self.generator.get_state(),
            "random": torch.get_rng_state(),
            "course": dataclasses.asdict(self.course),
        }
        part = self.kept.with_suffix(".part")
        torch.save(kept, part)
        part.replace(self.kept)

    def same(self):
        """What must not change from one start to the next; the time it may take can."""
        recipe = {n: v for n, v in dataclasses.asdict(self.recipe).items() if n != "minutes"}
        return {**recipe, "chars": self.chars, "size": len(self.train_data)}

    def run(self, say):
        """Train to the end, calling `say(course)` after each step."""
        recipe, course, since = self.recipe, self.course, time.monotonic()
        before = course.seconds
        while course.step < recipe.steps and course.waited < recipe.patience:
            self.step()
            course.step += 1
            course.seconds = before + time.monotonic() - since
            late = course.seconds > 60 * recipe.minutes
            if course.step % recipe.eval_interval == 0 or course.step == recipe.steps or late:
                self.evaluate()
            say(course)
            if late:
                break

    def step(self):
        for group in self.optimizer.param_groups:
            group["lr"] = self.recipe.rate(self.course.step)
        batch = get_batch(self.train_data, self.recipe, self.generator)
        loss = self.model(*(part.to(self.device) for part in batch))[1]
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()

    def evaluate(self):
        course = self.course
        train, held_out = (
            estimate_loss(self.model, d, self.recipe) for d in (self.train_data, self.held_out)
        )
        course.losses.append([course.step, train, held_out])
        course.waited = 0 if held_out < course.best else course.waited + 1
        if held_out < course.best:
            course.best = held_out
            save_minigpt(
                self.model,
                self.recipe.config(len(self.chars)),
                self.chars,
                self.out / "minigpt.safetensors",
                course.losses,
            )
        self.keep()


def save_minigpt(model, config, chars, path, losses=()):
    """The checkpoint that is handed in: the weights, and everything else as JSON."""
    weights = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    metadata = {"config": config, "chars": chars, "losses": list(losses)}
    part = path.with_suffix(".part")
    save_file(weights, part, {name: json.dumps(value) for name, value in metadata.items()})
    part.replace(path)


@torch.no_grad()
def sample(model, start, count, chars, block_size):
    ids = torch.tensor([encode(start, chars)])
    model.eval()
    for _ in range(count):
        logits = model(ids[:, -block_size:])[:, -1]
        ids = torch.cat([ids, torch.multinomial(logits.softmax(-1), 1)], dim=1)
    return decode(ids[0].tolist(), chars)


def options(command):
    """An option for each part of the recipe."""
    for part in reversed(dataclasses.fields(Recipe)):
        name = f"--{part.name.replace('_', '-')}"
        command = click.option(name, type=type(part.default), default=part.default, show_default=True)(
            command
        )
    return command


@click.command()
@click.argument("text", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path))
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@options
def main(text, out, device, **parts):
    """Train a MiniGPT on TEXT."""
    out.mkdir(parents=True, exist_ok=True)
    training = Training(text.read_text(encoding="utf-8"), Recipe(**parts), out, device)
    training.resume()
    with Progress(BarColumn(), TextColumn("{task.completed}/{task.total} {task.description}")) as progress:
        bar = progress.add_task("", total=training.recipe.steps)
        training.run(
            lambda course: progress.update(bar, completed=course.step, description=last_losses(course))
        )
    course, chars = training.course, training.chars
    click.echo(f"{course.step} steps in {course.seconds:.0f} s: {last_losses(course)}")
    click.echo(f"best held out: {course.best:.3f} nats, {course.best / math.log(2):.3f} bits per character")
    click.echo(sample(training.model.cpu(), chars[0], 300, chars, training.recipe.block_size))


def last_losses(course):
    """The last losses; empty before the first evaluation."""
    if not course.losses:
        return ""
    _, train, held_out = course.losses[-1]
    return f"train {train:.3f}, held out {held_out:.3f} nats"


if __name__ == "__main__":
    main()
