"""The holes of templates: each has its type, and none is left empty, on a GPU either."""

import ast
from pathlib import Path
from types import SimpleNamespace

import pytest

import undercut
from undercut.play.gpu import fused, target

MODULES = sorted(Path(undercut.__file__).parent.rglob("*.py"))


def test_every_value_that_is_bound_later_has_its_type() -> None:
    declared = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = getattr(node, "value", None)
            if isinstance(node, ast.stmt) and value and ast.unparse(value) == "hole_value()":
                declared.append(ast.unparse(node))
    assert len(declared) > 20
    assert not [line for line in declared if ": " not in line or ": Any" in line]


def test_a_template_for_a_gpu_with_an_empty_hole_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(target, "load_cuda", SimpleNamespace)
    with pytest.raises(TypeError, match=r"_play_on_device: nothing is bound to 'match_type'"):
        target.compile_for_gpu(fused._play_on_device, fused.REGISTERS)
