"""Programs in a process of their own, where a GPU is simulated."""

import os
import subprocess
import sys

_SIMULATED = {"NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"}


def on_simulated_gpu(program: str, **environment: str) -> str:
    """What a program prints there, with compilation off."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **_SIMULATED, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
