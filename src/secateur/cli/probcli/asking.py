"""-eval, -assertions, -properties, -check_goal: questions about one state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from secateur.app.evaluate import goal_of
from secateur.app.judged import judge
from secateur.cli.exit import ExitCode
from secateur.cli.probcli.session import Session
from secateur.cli.probcli.walking import initialise
from secateur.lang.model import Property
from secateur.maths.ast import free_names
from secateur.maths.print_value import show_value
from secateur.source import InputError
from secateur.source.read import read_source
from secateur.system.answer import Answer, Decided, Evaluated, Undefined, Unknown
from secateur.system.system import State


def evaluate(session: Session) -> None:
    """Evaluate what -eval and -eval_file give, where the path has ended."""
    texts = [(f"eval: {text}", text) for (text,) in session.request.all("eval")]
    for (file,) in session.request.all("eval_file"):
        texts.append((f"\nEvaluating file: {file}\n", read_source(file).text.strip()))
    if not texts or not initialise(session):
        return
    for head, text in texts:
        session.say(head)
        try:
            answer = session.model.evaluate(text, session.walk.state)
        except InputError as error:
            session.say("Not a valid expression or predicate")
            session.refuse("eval", error)
        else:
            _tell(session, answer)


def _tell(session: Session, answer: Answer) -> None:
    match answer:
        case Evaluated(value):
            session.say("Expression Value = ", show_value(value))
        case Decided(truth, solution):
            word = "TRUE" if truth else "FALSE"
            over = ",".join(name for name, _ in solution)
            head = f"Existentially Quantified Predicate over {over}" if solution else "Predicate"
            session.say(f"{head} is {word}")
            if solution:
                session.say("Solution: ", *(f"       {n} = {show_value(v)}" for n, v in solution))
            session.say(word)
        case Undefined(message):
            session.say("Expression not well-defined !")
            session.ledger.error("well_definedness_error", message)
        case Unknown(reason):
            session.say("UNKNOWN")
            session.ledger.warning("eval_unknown", reason)


def check_assertions(session: Session) -> None:
    """Judge the assertions in the initial state, first those that are about constants alone."""
    if not initialise(session):
        return
    model = session.model.typed
    chosen: Sequence[Property] = model.assertions
    if session.request.has("main_assertions") and not session.request.has("assertions"):
        chosen = [a for a in chosen if a.predicate.span.source.name == session.file]
    variables = {v.name for v in model.variables}
    static = [a for a in chosen if free_names(a.predicate).isdisjoint(variables)]
    dynamic = [a for a in chosen if a not in static]
    session.say("% Checking ASSERTIONS: ", "Checking Static Assertions")
    counts = _judge_all(session, static)
    session.say("Checking Dynamic Assertions")
    counts += _judge_all(session, dynamic)
    _sum_up(session, "ASSERTIONS", "check_assertions", counts)
    session.say(f"% Finished checking ASSERTIONS of {model.name}")


def check_properties(session: Session) -> None:
    """Judge the properties of the constants, with the values that were chosen for these."""
    if not initialise(session):
        return
    model = session.model.typed
    session.say("% Checking PROPERTIES: ")
    counts = _judge_all(session, [p for p in model.properties if not p.chooses])
    _sum_up(session, "PROPERTIES", "check_properties", counts)
    session.say(f"% Finished checking PROPERTIES of {model.name}")


def check_goal(session: Session) -> None:
    """Judge the goal where the path has ended."""
    if not initialise(session):
        return
    model = session.model.typed
    text = session.request.last("goal")
    if text is None and "GOAL" not in model.definitions:
        session.ledger.error("check_goal", "there is no GOAL", code=ExitCode.BAD_INPUT)
        return
    goal = model.definitions["GOAL"] if text is None else goal_of(text, model)
    session.say("% Checking GOAL predicate: ")
    counts = _judge_all(session, [Property(text or goal.span.text, goal)])
    _sum_up(session, "GOAL", "check_goal", counts)


def _judge_all(session: Session, predicates: Iterable[Property]) -> Counter[str]:
    """Print what comes of each predicate, and a summary; return how often each outcome was."""
    counts: Counter[str] = Counter()
    for named in predicates:
        state: State = session.walk.state
        outcome = _outcome(judge(named.predicate, session.model.system, state))
        counts[outcome] += 1
        session.say("", f"==> {named.name}", outcome)
    session.say(
        "=======",
        "SUMMARY",
        "=======",
        f"{counts.total()} predicates: {counts['TRUE']} TRUE, {counts['FALSE']} FALSE, "
        f"{counts.total() - counts['TRUE'] - counts['FALSE']} UNKNOWN (0 timeouts)",
    )
    return counts


def _outcome(answer: Answer) -> str:
    match answer:
        case Decided(truth):
            return "TRUE" if truth else "FALSE"
        case Undefined(message):
            return f"NOT-WELL-DEFINED: {message}"
        case Unknown(reason):
            return f"UNKNOWN: {reason}"
        case Evaluated():
            raise AssertionError("a predicate has no value")


def _sum_up(session: Session, what: str, kind: str, counts: Counter[str]) -> None:
    unknown = counts.total() - counts["TRUE"] - counts["FALSE"]
    found = (
        f"[total/{counts.total()},true/{counts['TRUE']},false/{counts['FALSE']},unknown/{unknown}]"
    )
    if counts["FALSE"] or any(outcome.startswith("NOT-WELL") for outcome in counts):
        session.say(f"*** Unexpected result while checking: {what}", f"***          in : {found}")
        session.ledger.error(kind)
    elif unknown:
        session.ledger.warning(kind, *(o for o in counts if o.startswith("UNKNOWN")))
