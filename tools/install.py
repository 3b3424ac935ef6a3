"""Install the project into a virtual environment, when it is not there as it stands now.

    python3 tools/install.py .venv [--dev]

The package is installed from a wheel, not linked: the tests see what a user gets.  A
fingerprint of everything that goes into the wheel tells whether it is up to date, so that
a test after an edit tests the edit.  Only the standard library is used.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
INPUTS = ("pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "src", "native")


def ingredients() -> Iterator[Path]:
    """Yield every file that goes into the wheel, in a fixed order."""
    for name in INPUTS:
        path = ROOT / name
        if path.is_file():
            yield path
        elif path.is_dir():
            found = (p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
            yield from sorted(found)


def fingerprint() -> str:
    """Return a digest of the ingredients and of the interpreter."""
    digest = hashlib.sha256(sys.version.encode())
    for path in ingredients():
        digest.update(str(path.relative_to(ROOT)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def python_in(environment: Path) -> Path:
    """Return the interpreter of `environment`."""
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pip(environment: Path, *arguments: str) -> None:
    """Run pip in `environment`; end with its exit code if it fails."""
    command = [str(python_in(environment)), "-m", "pip", "--disable-pip-version-check", *arguments]
    outcome = subprocess.run(command, check=False, cwd=ROOT)
    if outcome.returncode != 0:
        sys.exit(outcome.returncode)


def install(environment: Path, *, dev: bool) -> None:
    """Make `environment` hold the project as it stands, with the tools for developers if asked."""
    if not python_in(environment).exists():
        print(f"creating {environment}", file=sys.stderr)
        venv.create(environment, with_pip=True, clear=environment.exists())
    stamp = environment / "installed"
    was, _, had = stamp.read_text().partition(" ") if stamp.exists() else ("", "", "")
    dev_before = had == "dev"
    now = fingerprint()
    if was == now and (dev_before or not dev):
        return
    print("installing secateur" + (" and the developers' tools" if dev else ""), file=sys.stderr)
    stamp.unlink(missing_ok=True)
    pip(environment, "uninstall", "-qq", "--yes", "secateur")
    pip(environment, "install", "--quiet", ".[dev]" if dev or dev_before else ".")
    stamp.write_text(f"{now} {'dev' if dev or dev_before else 'plain'}")


def main() -> None:
    """Read the command line and install."""
    if sys.version_info < (3, 11):  # noqa: UP036 - it may be run by an older one
        sys.exit("secateur needs Python 3.11 or newer; say which with `make PYTHON=python3.12 ...`")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("environment", type=Path)
    parser.add_argument("--dev", action="store_true", help="also what developers need")
    arguments = parser.parse_args()
    install(arguments.environment, dev=arguments.dev)


if __name__ == "__main__":
    main()
