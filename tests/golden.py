"""Whole outputs against files: whatever changes in them is seen, also where nobody thought of it.

A file says what came out once, not that it was right: rules and numbers have tests of their own.
"""

import os
from pathlib import Path
from typing import Any

import pytest


def check_golden(path: Path, found: str) -> None:
    """Compare a text with that of a file; with UNDERCUT_GOLDEN=new the file is written anew.

    The test fails even then: whoever has changed what is shown looks at what git says has changed.
    """
    if os.environ.get("UNDERCUT_GOLDEN") == "new":
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
        pytest.fail(f"written: {path}; look at it")
    assert found == path.read_text(encoding="utf-8")


def rounded(value: Any) -> Any:
    """The same with numbers of six digits: the last ones may differ between machines."""
    if isinstance(value, dict):
        return {name: rounded(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(each) for each in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def described(figure: Any) -> str:
    """A picture in words: what stands where, how long bars are, and their colours."""
    figure.canvas.draw()
    lines = [f"{figure.get_size_inches().round(3).tolist()} {figure.dpi:g}"]
    if (title := figure._suptitle) is not None:
        lines += [f"{title.get_text()!r} {title.get_position()[0]:g} {title.get_color()}"]
    for axes in figure.axes:
        lines += [f"axes {axes.get_title()!r} {axes.get_xlabel()!r} {axes.get_ylabel()!r}"]
        lines += [f" {axes.get_xscale()}, {axes.xaxis.label.get_color()}"]
        if (legend := axes.get_legend()) is not None:
            lines += [f" legend {[text.get_text() for text in legend.get_texts()]}"]
        lines += [f" from {rounded(list(axes.get_xlim()))} to {rounded(list(axes.get_ylim()))}"]
        for side, spine in axes.spines.items():
            lines += [f" {side}: {spine.get_visible()}"]
        for axis in (axes.xaxis, axes.yaxis):
            texts = [text.get_text() for text in axis.get_ticklabels()]
            colours = {line.get_color() for line in axis.get_gridlines() if line.get_visible()}
            lines += [f" ticks {texts}, grid {colours}"]
        for line in axes.lines:
            points = rounded(line.get_xydata().tolist())
            lines += [f" {line.get_marker()} {line.get_color()}: {points}"]
        for bars in axes.collections:
            lines += [f" bars {rounded([each.tolist() for each in bars.get_segments()])}"]
        for text in axes.texts:
            lines += [f" {text.get_text()!r} at {rounded(list(text.xy))}, {text.get_color()}"]
    return "\n".join([*lines, ""])
