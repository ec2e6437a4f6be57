"""Rotations, poses and named frames. It knows no time and no robot; the arithmetic is in ``motionkit.kernels``."""

from __future__ import annotations

from .frames import FrameGraph, FrameId, LookupFailure
from .se3 import SE3
from .so3 import SO3

__all__ = ["SE3", "SO3", "FrameGraph", "FrameId", "LookupFailure"]
