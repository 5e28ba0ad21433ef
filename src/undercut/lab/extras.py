"""Packages that the base install leaves out, or a line that says how to get them."""

import importlib
from typing import Any

from undercut.text.errors import UndercutError


def need(module: str, extra: str) -> Any:
    """Import a package that comes with an extra."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise UndercutError(
            f"this needs {module.partition('.')[0]}: pip install 'undercut[{extra}]', with "
            f"-c constraints.txt for the versions that are tested ({missing})"
        ) from None
