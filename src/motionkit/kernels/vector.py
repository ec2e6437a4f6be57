"""Vectors of three elements as tuples. Rotations are in ``quat``, poses in ``pose``."""

from __future__ import annotations

from ._contract import helper
from ._elements import sqrt


@helper
def dot(a, b):
    """Scalar product of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return ax * bx + ay * by + az * bz


@helper
def cross(a, b):
    """Vector product a x b, right-handed."""
    ax, ay, az = a
    bx, by, bz = b
    return (ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


@helper
def norm(a):
    """Length of a vector; components below 1e-154 count as zero, since their squares underflow."""
    ax, ay, az = a
    return sqrt(ax * ax + ay * ay + az * az)


@helper
def add(a, b):
    """Sum of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return (ax + bx, ay + by, az + bz)


@helper
def subtract(a, b):
    """Difference a - b of two vectors."""
    ax, ay, az = a
    bx, by, bz = b
    return (ax - bx, ay - by, az - bz)


@helper
def scale(a, factor):
    """A vector times a number."""
    ax, ay, az = a
    return (ax * factor, ay * factor, az * factor)
