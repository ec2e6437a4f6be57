"""A camera: a point in its frame to pixels, by a pinhole and the distortion of Brown, and the derivative of that.

A model is nine numbers: fx, fy, cx, cy in pixels, then k1, k2 (radial), p1, p2 (tangential), k3. The frame is that of
optics: x to the right of the image, y down, z forward. Where the point lies behind the camera the pixels mean nothing,
which is the caller's to see.

Source: Brown, Close-Range Camera Calibration, 1971, in the order of coefficients that OpenCV made usual.
"""

from __future__ import annotations

from typing import Any

from ._contract import helper, kernel
from .vector import Vector

Intrinsics = tuple[Any, Any, Any, Any, Any, Any, Any, Any, Any]
SIZE = 9


@helper
def project_point(c: Intrinsics, p: Vector) -> tuple[Any, ...]:
    """Pixels (u, v) of a point, then their derivatives by its three coordinates: eight elements."""
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = c
    inverse = 1.0 / p[2]
    x = p[0] * inverse
    y = p[1] * inverse
    x2 = x * x
    y2 = y * y
    xy = x * y
    r2 = x2 + y2
    radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
    slope = k1 + r2 * (2.0 * k2 + r2 * (3.0 * k3))  # of radial by r2
    u = x * radial + 2.0 * p1 * xy + p2 * (r2 + 2.0 * x2)
    v = y * radial + p1 * (r2 + 2.0 * y2) + 2.0 * p2 * xy
    # by the coordinates in the plane at distance one, then by those in space
    ux = radial + 2.0 * x2 * slope + 2.0 * p1 * y + 6.0 * p2 * x
    uy = 2.0 * xy * slope + 2.0 * p1 * x + 2.0 * p2 * y
    vx = uy
    vy = radial + 2.0 * y2 * slope + 6.0 * p1 * y + 2.0 * p2 * x
    return (
        fx * u + cx,
        fy * v + cy,
        fx * ux * inverse,
        fx * uy * inverse,
        0.0 - fx * (ux * x + uy * y) * inverse,
        fy * vx * inverse,
        fy * vy * inverse,
        0.0 - fy * (vx * x + vy * y) * inverse,
    )


@kernel("in in out -> none")
def project(intrinsics: Any, point: Any, out: Any) -> None:
    """Pixels of a point in the camera's frame, and their derivatives.

    Args:
        intrinsics: (9,), as the module says.
        point: (3,), m.
        out: (8,): u, v, then du/dx, du/dy, du/dz, dv/dx, dv/dy, dv/dz, pixels per metre.
    """
    c = (
        intrinsics[0],
        intrinsics[1],
        intrinsics[2],
        intrinsics[3],
        intrinsics[4],
        intrinsics[5],
        intrinsics[6],
        intrinsics[7],
        intrinsics[8],
    )
    values = project_point(c, (point[0], point[1], point[2]))
    for k in range(8):
        out[k] = values[k]
