"""`make fuzz MINUTES=n`: every reader in turn, with cases that nobody has tried before.

Whatever fails is kept in build/fuzz, with what came in, and the command that repeats it is printed.
"""

import argparse
import os
import resource
import secrets
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from types import FrameType

from fuzz.every import READERS
from fuzz.readers import Failure, Reader, at_work

KEPT = Path(__file__).parents[2] / "build" / "fuzz"
SLICE = 5.0  # seconds for a reader before it is the next one's turn
LONGEST = 60  # seconds for a case: then it hangs
MEMORY = 16 << 30  # bytes of addresses


def main() -> int:
    """Try cases until the time is over; returns how many failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--reader", choices=[reader.name for reader in READERS])
    parser.add_argument("--case", type=int, help="only this one")
    given = parser.parse_args()
    readers = [each for each in READERS if given.reader in (None, each.name)]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, _stop)
    os.environ["UNDERCUT_DATA"] = tempfile.mkdtemp(prefix="undercut-fuzz-")
    if given.case is not None:
        return sum(_run(reader, given.case, 0.0) for reader in readers)
    first = secrets.randbelow(10**12)
    end, failed = time.monotonic() + 60 * given.minutes, 0
    while time.monotonic() < end:
        for reader in readers:
            left = end - time.monotonic()
            failed += _run(reader, first, min(SLICE, left)) if left > 0 else 0
        first += 10**6
    print(f"{failed} failed; they are kept in {KEPT}" if failed else "none failed")
    return failed


def _run(reader: Reader, first: int, seconds: float) -> bool:
    """Try cases from a number on for some time; whether one has failed."""
    reader.samples()
    case, accepted, end = first, 0, time.monotonic() + seconds
    try:
        with at_work(reader) as accepts:
            while case == first or time.monotonic() < end:
                signal.alarm(LONGEST)
                accepted += accepts(case)
                case += 1
    except (Failure, TimeoutError):
        _keep(reader, case)
        return True
    finally:
        signal.alarm(0)
    print(f"{reader.name}: {case - first} cases from {first} on, {accepted} accepted", flush=True)
    return False


def _keep(reader: Reader, case: int) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{reader.name.replace(' ', '-')}-{case}.txt"
    path.write_text(f"{reader.given(case)!r}\n\n{traceback.format_exc()}", encoding="utf-8")
    print(f"{reader.name} fails: {path}\nmake fuzz READER='{reader.name}' CASE={case}", flush=True)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"no answer within {LONGEST} s")


if __name__ == "__main__":
    sys.exit(main() > 0)
