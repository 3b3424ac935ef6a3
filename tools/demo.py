"""`make demo`: a model that holds, and one that does not, with the way to the error.

The exit codes are part of what is shown: this program fails if they are not as promised.
"""

from __future__ import annotations

import subprocess
import sys

SHOWN = (
    (("check", "examples/TrafficLight.mch"), 0),
    (("check", "examples/BoundedBuffer.mch"), 1),
    (("eval", "{x, y | x : 1..20 & y : x..20 & #z.(z : 1..30 & x*x + y*y = z*z)}"), 0),
)


def main() -> int:
    """Run each command, and return 0 if every exit code is the promised one."""
    wrong = 0
    for command, promised in SHOWN:
        line = " ".join(f'"{word}"' if " " in word else word for word in command)
        print(f"$ secateur {line}", flush=True)
        outcome = subprocess.run([sys.executable, "-m", "secateur", *command], check=False)
        print(f"(exit code {outcome.returncode})\n", flush=True)
        wrong += outcome.returncode != promised
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
