"""What PyTorch does with an absent device is done on the CPU, and afterwards all is as before."""

import pytest
import torch
from torch import nn

from softmark_worker.absent_devices import AbsentDevices

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="CUDA is no absent device here")
x = torch.ones(2)


def in_a_block() -> torch.Tensor:
    with torch.device("cuda"):
        return nn.Linear(2, 2)(torch.ones(2))


def with_a_default() -> torch.Tensor:
    torch.set_default_device("cuda")
    return torch.ones(2)


@pytest.mark.parametrize(
    "work",
    [
        lambda: x.cuda(),
        lambda: x.to(torch.device("cuda:0"), torch.float64),
        lambda: x.to(0),
        lambda: x.type("torch.cuda.FloatTensor"),
        lambda: x.new_zeros(2, device="cuda"),
        lambda: torch.zeros_like(x, device="cuda"),
        lambda: torch.arange(3, device="cuda"),
        lambda: torch.tensor([1.0], device="mps"),
        lambda: torch.empty(2, pin_memory=True),
        lambda: torch.cuda.FloatTensor([1.0]),
        lambda: torch.randn(2, generator=torch.Generator(device="cuda"), device="cuda"),
        lambda: nn.Linear(2, 2, device="cuda")(x),
        lambda: nn.Linear(2, 2).to("cuda")(x.cuda()),
        lambda: nn.Linear(2, 2).cuda(torch.cuda.current_device())(x),
        in_a_block,
        with_a_default,
    ],
)
def test_tensors_and_modules_are_on_the_cpu(work):
    devices, before = AbsentDevices(), (torch.zeros, torch.Tensor.to)
    assert devices.run(work).device.type == "cpu"
    assert devices.asked
    assert devices.at
    assert (torch.zeros, torch.Tensor.to) == before
    assert "cuda" not in vars(torch.Tensor)


@pytest.mark.parametrize(
    "work",
    [
        lambda: torch.cuda.synchronize(),
        lambda: torch.cuda.reset_peak_memory_stats(),
        lambda: torch.cuda.get_device_properties(0).total_memory / 1e9,
        lambda: f"{torch.cuda.Event(enable_timing=True).elapsed_time(torch.cuda.Event()):.2f}",
        lambda: torch.cuda.nvtx.range_push("a"),
    ],
)
def test_what_only_a_gpu_can_tell_is_nothing(work):
    AbsentDevices().run(work)


def test_code_that_asks_for_no_device_meets_nothing_of_this():
    devices = AbsentDevices()
    seen = devices.run(lambda: (torch.zeros, x.cpu(), torch.cuda.is_available()))
    assert seen == (torch.zeros, x, False) or not devices.asked
    with pytest.raises(RuntimeError, match="of its own"):
        devices.run(lambda: (_ for _ in ()).throw(RuntimeError("of its own")))
    assert not devices.asked


def test_a_default_that_is_absent_is_left():
    devices = AbsentDevices()
    torch.set_default_device("cuda")
    devices.leave_default()
    assert devices.asked
    assert torch.zeros(1).device.type == "cpu"
