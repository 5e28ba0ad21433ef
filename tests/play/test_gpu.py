"""play/gpu.py: what a user of a GPU is not to be warned of, seen on the simulated one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Every warning is an error; each launch of a kernel is looked at.
PROGRAM = """
import sys, warnings
sys.path.insert(0, {tests!r})
warnings.simplefilter("error")
import numpy as np
from numba import typeof
from play.line_up import line_up
from undercut.kernels.records import pack
from undercut.play.batch import play_batch
from undercut.play.gpu.target import load_cuda
from undercut.play.job import Backend

cuda = load_cuda()
from numba.cuda.simulator.kernel import FakeCUDAKernel

launch, launches = FakeCUDAKernel.__call__, []

def host_arrays(argument):
    if isinstance(argument, tuple):
        return sum(map(host_arrays, argument))
    return int(isinstance(argument, np.ndarray))

def watched(kernel, *arguments):
    launches.append(host_arrays(arguments))
    return launch(kernel, *arguments)

FakeCUDAKernel.__call__ = watched
game, agents = line_up({rules!r}, *{agents!r})
play_batch(game, agents, 2, 1, max_deals=1, trace=4, backend=Backend(device="cuda"))
first, other = (typeof(pack(agent.settings)) for agent in agents)
other.can_convert_to(None, first)
print(len(launches) > 0, sum(launches), cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS)
"""


@pytest.mark.parametrize(
    ("rules", "agents"),
    [
        ("rummy", ["restricted", "heuristic"]),
        ("gin", ["heuristic:samples=1", "estimator:samples=1"]),  # in steps
    ],
)
@pytest.mark.compiled
def test_no_launch_copies_an_array_or_warns(rules: str, agents: list[str]) -> None:
    tests = str(Path(__file__).parents[1])
    program = PROGRAM.format(tests=tests, rules=rules, agents=agents)
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "0", "0"]
    assert done.stderr == ""
