"""The native engine at work on models: storage, memory, and which engine it was."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur
from secateur.cli.main import main
from secateur.engine.limits import resident_memory
from secateur.engine.native.omission import omission_probability
from secateur.system.engine import Engine
from secateur.system.result import Result

own_memory = pytest.mark.skipif(
    "san" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer takes memory for itself"
)

COUNTERS = """
MACHINE Counters
VARIABLES {names}
INVARIANT {typing}
INITIALISATION {start}
OPERATIONS
{operations}
END
"""


def counters(n: int, most: int, invariant: str = "") -> str:
    names = [f"c{i}" for i in range(n)]
    return COUNTERS.format(
        names=", ".join(names),
        typing=" & ".join(f"{c} : 0..{most}" for c in names) + invariant,
        start=" || ".join(f"{c} := 0" for c in names),
        operations=";\n".join(
            f"  up{i} = SELECT {c} < {most} THEN {c} := {c} + 1 END" for i, c in enumerate(names)
        ),
    )


WIDE = """
MACHINE Wide
SETS ITEM = {a, b, c, d, e, f, g, h}
VARIABLES from, to, done
INVARIANT from : ITEM --> 0..1000 & to : ITEM --> 0..1000 & done <: ITEM & (card(done) = 5 => a : done)
INITIALISATION from := ITEM * {0} || to := ITEM * {1000} || done := {}
OPERATIONS
  move(x) = SELECT x : ITEM & from(x) < 2 THEN from(x) := from(x) + 1 || to(x) := to(x) - 1 END;
  finish(x) = SELECT x : ITEM & x /: done & from(x) = 2 THEN done := done \\/ {x} END
END
"""


@pytest.fixture
def load(tmp_path: Path) -> Any:
    def read(text: str) -> secateur.Model:
        file = tmp_path / "Model.mch"
        file.write_text(text)
        return secateur.load(file)

    return read


def summary(result: Result) -> tuple[object, ...]:
    seen = {(v.kind, v.name, v.count, len(v.trace.transitions)) for v in result.violations}
    return result.statistics.states, result.statistics.operations, seen


@pytest.mark.parametrize("text", [counters(4, 5), counters(4, 5, " & c0 + c1 < 7"), WIDE])
@pytest.mark.parametrize("collect", [False, True])
def test_storage_makes_no_difference(load: Any, text: str, collect: bool) -> None:
    options: dict[str, Any] = {"all": collect, "native": True, "max_states": 20_000}
    want = load(text).check(**options)
    for threads in (1, 2):
        got = load(text).check(**options, threads=threads, compress=True)
        assert summary(got) == summary(want) or "states" in " ".join(want.reasons)
        assert type(got.verdict) is type(want.verdict)
        assert {c.name: c for c in got.statistics.coverage}.keys() == {
            c.name for c in want.statistics.coverage
        }
        quick = load(text).check(**options, threads=threads, fingerprint=True)
        assert summary(quick) == summary(want) or "states" in " ".join(want.reasons)
        assert not isinstance(quick.verdict, secateur.Holds)
        for violation in (*got.violations, *quick.violations):
            violation.trace.replay()


def test_fingerprints_never_say_that_a_model_holds(load: Any) -> None:
    result = load(counters(2, 3)).check(fingerprint=True, deadlock=False)
    assert isinstance(result.verdict, secateur.Incomplete)
    (reason,) = result.reasons
    assert reason.startswith("no error found (hash compaction); the probability")
    assert not result
    assert result.engine.name == "native"


def test_fingerprints_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "Counters.mch"
    file.write_text(counters(3, 9))
    given = ["check", "--quiet", "--no-deadlock", str(file)]
    assert main([*given, "--json", "--fingerprint"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["states"]) == ("incomplete", 1000)
    assert "hash compaction" in report["reasons"][0]
    assert main([*given, "--compress"]) == 0


def test_the_more_states_the_likelier_one_is_left_out() -> None:
    assert omission_probability(0) == omission_probability(1) == 0
    assert omission_probability(2) == pytest.approx(2**-63)
    assert omission_probability(10**7) == pytest.approx(5.4e-6, rel=0.01)
    assert omission_probability(10**11) == 1


def test_which_engine_it_was(load: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small, large = load(counters(2, 3)), load(counters(4, 5))
    assert small.check().engine == Engine()
    engine = large.check().engine
    assert engine.memory
    assert engine.compile_seconds
    assert engine.search_seconds
    assert engine.statistics_seconds is not None
    told = replace(
        engine,
        memory=None,
        compile_seconds=None,
        search_seconds=None,
        statistics_seconds=None,
    )
    assert told == Engine("native", 1, 4, 4)
    assert large.check(native=False).engine.remark == "not native: not asked for"
    file = tmp_path / "Counters.mch"
    file.write_text(counters(4, 5))
    main(["check", "--quiet", "--json", "--threads", "2", str(file)])
    statistics = json.loads(capsys.readouterr().out)["statistics"]
    assert (statistics["engine"], statistics["threads"]) == ("native", 2)
    assert statistics["compiled"] == {"operations": 4, "of": 4}
    main(["check", "--quiet", "--threads", "2", str(file)])
    told = capsys.readouterr().out.splitlines()[-1]
    assert told == "engine: native, 2 threads, 4 of 4 operations compiled"


UNPACKED = """
MACHINE Unpacked
VARIABLES s, n
INVARIANT s <: NATURAL & n : NATURAL
INITIALISATION s := {} || n := 0
OPERATIONS
  grow = BEGIN n := n + 1 || s := s \\/ (n * 100 .. n * 100 + 99) END;
  turn = SELECT n > 0 THEN s := {x | x : s & x mod 7 /= n mod 7} END
END
"""


@own_memory
@pytest.mark.slow
@pytest.mark.parametrize("native", [True, None])
def test_memory_of_values_that_python_keeps_counts(load: Any, native: bool | None) -> None:
    """Sets without a bound are values in a table; only their numbers are in the states."""
    limit = 400 * 2**20
    result = load(UNPACKED).check(max_memory=limit, max_seconds=100, native=native)
    assert isinstance(result.verdict, secateur.Incomplete)
    assert result.reasons == ("the limit of 400 MB of memory was reached",)
    assert result.statistics.states > 100


@own_memory
@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"compress": True}, {"fingerprint": True}])
def test_memory_of_states_counts(load: Any, options: dict[str, bool]) -> None:
    limit = resident_memory() + 200 * 2**20
    result = load(counters(9, 9)).check(max_memory=limit, native=True, por="none", **options)
    assert isinstance(result.verdict, secateur.Incomplete)
    assert result.reasons[0] == f"the limit of {limit / 2**20:g} MB of memory was reached"
    assert result.statistics.states > 10**6
    assert result.statistics.waiting > 0


@own_memory
@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--threads", "2"]])
def test_a_machine_without_memory(tmp_path: Path, options: list[str]) -> None:
    """Not the limit of ours, but the system's: it is no error, and nothing is lost."""
    file = tmp_path / "Counters.mch"
    file.write_text(counters(9, 9))
    check = [sys.executable, "-m", "secateur", "check", "--quiet", "--json", "--por", "none"]
    done = subprocess.run(
        [*check, *options, str(file)],
        check=False,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 * 2**29, 3 * 2**29)),
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"]) == (3, "incomplete")
    assert report["reasons"] == ["the machine ran out of memory"]
    assert report["states"] > 10**6


_LITTLE = """
import resource, sys
from pathlib import Path
import secateur
from secateur._native import Explorer
from secateur.engine.native import explore

class Cramped(Explorer):
    def retrace(self, step, check, sparing=False):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + 44 * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))
        return super().retrace(step, check, sparing)

explore.Explorer = Cramped
result = secateur.load(Path(sys.argv[1])).check(native=True, por="none", engine="explicit")
(violation,) = result.violations
print(len(violation.trace), *result.reasons)
"""


@own_memory
@pytest.mark.slow
def test_a_way_is_found_with_little_memory(tmp_path: Path) -> None:
    """Where states cannot be kept on the way back, they are looked for one more time."""
    file = tmp_path / "Far.mch"
    file.write_text(
        "MACHINE Far VARIABLES a, b INVARIANT a : 0..4095 & b : 0..2047 & not(a = 4095 & b = 2047)"
        " INITIALISATION a, b := 0, 0 OPERATIONS"
        " up = SELECT a < 4095 THEN a := a + 1 END; across = SELECT b < 2047 THEN b := b + 1 END END"
    )
    command = [sys.executable, "-c", _LITTLE, str(file)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stdout.split() == ["6143"], done.stderr
