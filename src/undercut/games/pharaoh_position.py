"""Pharaoh positions as text."""

from typing import Any

from undercut.core.game import View


def format_view(view: View) -> str:
    raise NotImplementedError


def parse_view(text: str, options: Any) -> View:
    raise NotImplementedError
