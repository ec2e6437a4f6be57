"""Optional packages, imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import MissingExtra


def require(module: str, extra: str, what: str) -> Any:
    """An optional package.

    Raises:
        MissingExtra: it is not installed; says what brings it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{what} needs the package {module}, which cannot be imported ({error}); "
            f"install it with: pip install 'motionkit[{extra}]'",
            name=module,
        ) from error
