"""Imports of optional packages, with an error that tells how to install them."""

import importlib
from types import ModuleType

from undercut.text.errors import UndercutError


def need(module: str, extra: str) -> ModuleType:
    """Import a module of a package that an extra installs."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise UndercutError(
            f"this needs {module.partition('.')[0]}: pip install 'undercut[{extra}]', with "
            f"-c constraints.txt for the versions that are tested ({missing})"
        ) from None
