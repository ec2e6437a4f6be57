"""Vectors of three elements as tuples. Rotations are in ``quat``, poses in ``pose``."""

from __future__ import annotations

from typing import Any

from ._contract import helper
from ._elements import sqrt

Vector = tuple[Any, Any, Any]


@helper
def dot(a: Vector, b: Vector) -> Any:
    """Scalar product of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return ax * bx + ay * by + az * bz


@helper
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product a x b, right-handed."""
    ax, ay, az = a
    bx, by, bz = b
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


@helper
def norm(a: Vector) -> Any:
    """Length of a vector; components below 1e-154 count as zero, since their squares underflow."""
    ax, ay, az = a
    return sqrt(ax * ax + ay * ay + az * az)


@helper
def add(a: Vector, b: Vector) -> Vector:
    """Sum of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return (ax + bx, ay + by, az + bz)


@helper
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return (ax - bx, ay - by, az - bz)


@helper
def scale(a: Vector, factor: Any) -> Vector:
    """A vector times a number."""
    ax, ay, az = a
    return (ax * factor, ay * factor, az * factor)
