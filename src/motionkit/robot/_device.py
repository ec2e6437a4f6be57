"""Where a batch is computed: on the processor or on a graphics processor, and what it is called when that cannot be."""

from __future__ import annotations

from typing import Any

from .._extras import require
from ..errors import DeviceUnavailable, UnknownName, did_you_mean
from ..kernels._batch import run_rows
from ..kernels._contract import Kernel

DEVICES = ("cpu", "cuda")


def run_on(device: str, kernel: Kernel[..., Any], *arguments: Any, threads: int = 1, scratch: int = 0) -> None:
    """Run a kernel over rows, as ``kernels._batch.run_rows`` does, on a device.

    Raises:
        UnknownName: there is no such kind of device.
        MissingExtra: what the device needs is not installed.
        DeviceUnavailable: there is no such device, or no driver.
    """
    if device == "cpu":
        run_rows(kernel, *arguments, threads=threads, scratch=scratch)
        return
    if device not in DEVICES:
        raise UnknownName(f"device: no kind {device!r}: {did_you_mean(device, DEVICES)}", name=device)
    require("numba_cuda", "cuda", "device='cuda'")
    from ..kernels import _cuda

    try:
        _cuda.run_rows(kernel, *arguments, scratch=scratch)
    except _cuda.DeviceMissing as error:
        raise DeviceUnavailable(
            f"device='cuda': expected a graphics processor with a driver, and found none: {error}; look at what "
            "nvidia-smi says, or compute on device='cpu'",
            device=device,
        ) from error
