"""Robot programs: read strictly, resolved to SI units, planned, proved, and written.

A file becomes a :class:`Program` (as typed) by :func:`load_program` and a :class:`ResolvedProgram` (radians, metres,
base frame) by :func:`resolve`.
"""

from __future__ import annotations

from .schema import Program

__all__ = ["Program"]
