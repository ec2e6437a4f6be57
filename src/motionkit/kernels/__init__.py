"""The numeric core: one module per algorithm, plain functions of elements, mirrored by the rooms above.

Nothing in this package names a robot, raises for a user's mistake or allocates; the rooms above do that. The rules
that every module here follows are in ``docs/architecture/kernels.md`` and held by ``tests/kernels/test_contract.py``.
"""
