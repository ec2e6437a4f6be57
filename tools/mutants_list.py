"""The known wrong forms that ``mutants.py`` plants: where, what is replaced by what, and which tests must notice."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong form."""

    name: str
    requirement: str
    what: str
    file: str  # below src/motionkit
    old: str
    new: str
    tests: tuple[str, ...]


MUTANTS: tuple[Mutant, ...] = ()
