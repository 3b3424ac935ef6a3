"""One function of LLVM IR, as text that grows.

Operands are names or known numbers; what is known is computed here.  An instruction that
has been written where it dominates the present place is not written again (its text is
its identity): `mark` and `forget` say from where on that is no longer so.
"""

from __future__ import annotations

from typing import Final

from secateur.kernel.language import WORD

Operand = int | str
"""An i64: a known number or the name of a value."""

Flag = str
"""An i1: `true`, `false` or the name of a value."""

TRUE: Final = "true"
FALSE: Final = "false"

_MODULUS: Final = 1 << WORD


def signed(value: int) -> int:
    """Return the number that the lowest 64 bits stand for."""
    value %= _MODULUS
    return value - _MODULUS if value >= _MODULUS >> 1 else value


class Function:
    """A function under construction."""

    def __init__(self, head: str) -> None:
        self._head = head
        self._entry: list[str] = []
        self._lines: list[str] = []
        self._names = 0
        self._known: dict[str, str] = {}
        self._log: list[str] = []
        self._slots: dict[tuple[str, str], str] = {}
        self._targets: set[str] = set()
        self.block = "start"

    def text(self) -> str:
        """Return the whole function; the last block must have been ended."""
        entry = "\n".join(self._entry)
        body = "\n".join(self._lines)
        return f"{self._head} {{\nentry:\n{entry}\n  br label %start\nstart:\n{body}\n}}\n"

    @property
    def size(self) -> int:
        """How many lines there are so far."""
        return len(self._lines)

    # -- instructions ---------------------------------------------------------------------

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def line(self, text: str) -> None:
        """Write an instruction that has no value."""
        self._lines.append(f"  {text}")

    def new(self, text: str) -> str:
        """Write an instruction and return its value; it may see what memory holds now."""
        name = self._name()
        self._lines.append(f"  {name} = {text}")
        return name

    def pure(self, text: str) -> str:
        """Return the value of an instruction that depends on its operands alone."""
        name = self._known.get(text)
        if name is None:
            name = self.new(text)
            self._known[text] = name
            self._log.append(text)
        return name

    def at_entry(self, text: str) -> str:
        """Return the value of an instruction that is written at the function's beginning."""
        name = self._known.get(text)
        if name is None:
            name = self._name()
            self._entry.append(f"  {name} = {text}")
            self._known[text] = name
        return name

    def slot(self, type_: str, purpose: str) -> str:
        """Return a place on the stack, always the same for one type and purpose."""
        name = self._slots.get((type_, purpose))
        if name is None:
            name = self._slots[type_, purpose] = self._name()
            self._entry.append(f"  {name} = alloca {type_}, align 8")
        return name

    # -- blocks ---------------------------------------------------------------------------

    def label(self, hint: str) -> str:
        """Return a new name of a block."""
        self._names += 1
        return f"{hint}.{self._names}"

    def begin(self, label: str) -> None:
        """Begin a block; the one before must have been ended."""
        self._lines.append(f"{label}:")
        self.block = label

    def jump(self, label: str) -> None:
        """End the block with a jump."""
        self._targets.add(label)
        self.line(f"br label %{label}")

    def branch(self, condition: Flag, then: str, otherwise: str) -> None:
        """End the block with one of two jumps."""
        self._targets.update((then, otherwise))
        self.line(f"br i1 {condition}, label %{then}, label %{otherwise}")

    def aimed_at(self, label: str) -> bool:
        """Whether there is a jump to a block so far."""
        return label in self._targets

    def exit_if(self, condition: Flag, label: str) -> None:
        """Leave the program part if a condition holds; the code goes on if it does not."""
        if condition == FALSE:
            return
        on = self.label("on")
        self.branch(condition, label, on)
        self.begin(on)

    # -- what dominates -------------------------------------------------------------------

    def mark(self) -> int:
        """Return a mark for `forget`, before code that need not run."""
        return len(self._log)

    def forget(self, mark: int) -> None:
        """Forget the values of code that need not have run."""
        for text in self._log[mark:]:
            del self._known[text]
        del self._log[mark:]

    # -- arithmetic on words --------------------------------------------------------------

    def add(self, a: Operand, b: Operand) -> Operand:
        """Return a + b, without a check."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) and isinstance(b, int):
            return signed(a + b)
        return a if b == 0 else self.pure(f"add i64 {a}, {b}")

    def sub(self, a: Operand, b: Operand) -> Operand:
        """Return a - b, without a check."""
        if isinstance(b, int):
            return self.add(a, signed(-b))
        return self.pure(f"sub i64 {a}, {b}")

    def mul(self, a: Operand, b: Operand) -> Operand:
        """Return a * b, without a check."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) and isinstance(b, int):
            return signed(a * b)
        return a if b == 1 else self.pure(f"mul i64 {a}, {b}")

    def and_(self, a: Operand, b: Operand) -> Operand:
        """Return the bits that are in both."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) and isinstance(b, int):
            return a & b
        if b == 0:
            return 0
        return a if b in (-1, a) else self.pure(f"and i64 {a}, {b}")

    def or_(self, a: Operand, b: Operand) -> Operand:
        """Return the bits that are in one of them."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) and isinstance(b, int):
            return a | b
        if b == -1:
            return -1
        return a if b in (0, a) else self.pure(f"or i64 {a}, {b}")

    def xor(self, a: Operand, b: Operand) -> Operand:
        """Return the bits that are in exactly one of them."""
        if isinstance(a, int):
            a, b = b, a
        if isinstance(a, int) and isinstance(b, int):
            return a ^ b
        if a == b:
            return 0
        return a if b == 0 else self.pure(f"xor i64 {a}, {b}")

    def shl(self, a: Operand, by: Operand) -> Operand:
        """Return a moved up by less than 64 bits."""
        if isinstance(a, int) and isinstance(by, int):
            return signed(a << by)
        return a if by == 0 or a == 0 else self.pure(f"shl i64 {a}, {by}")

    def lshr(self, a: Operand, by: Operand) -> Operand:
        """Return a moved down by less than 64 bits."""
        if isinstance(a, int) and isinstance(by, int):
            return signed(a % _MODULUS >> by)
        return a if by == 0 or a == 0 else self.pure(f"lshr i64 {a}, {by}")

    def low_bits(self, a: Operand, width: int) -> Operand:
        """Return the lowest `width` bits."""
        return a if width >= WORD else self.and_(a, (1 << width) - 1)

    # -- truth ----------------------------------------------------------------------------

    def compare(self, how: str, a: Operand, b: Operand) -> Flag:
        """Return the truth of `icmp how a, b`."""
        if isinstance(a, int) and isinstance(b, int):
            return TRUE if _compare(how, a, b) else FALSE
        return self.pure(f"icmp {how} i64 {a}, {b}")

    def both(self, a: Flag, b: Flag) -> Flag:
        """Return a and b, both of which have been computed."""
        if FALSE in (a, b):
            return FALSE
        if TRUE in (a, b):
            return b if a == TRUE else a
        return self.pure(f"and i1 {a}, {b}")

    def either(self, a: Flag, b: Flag) -> Flag:
        """Return a or b, both of which have been computed."""
        if TRUE in (a, b):
            return TRUE
        if FALSE in (a, b):
            return b if a == FALSE else a
        return self.pure(f"or i1 {a}, {b}")

    def negation(self, a: Flag) -> Flag:
        """Return not a."""
        if a in (TRUE, FALSE):
            return FALSE if a == TRUE else TRUE
        return self.pure(f"xor i1 {a}, true")

    def select(self, condition: Flag, a: Operand, b: Operand, type_: str = "i64") -> Operand:
        """Return a or b, both of which have been computed."""
        if a == b or condition in (TRUE, FALSE):
            return b if condition == FALSE else a
        return self.pure(f"select i1 {condition}, {type_} {a}, {type_} {b}")


def _compare(how: str, a: int, b: int) -> bool:
    if how.startswith("u"):
        a, b, how = a % _MODULUS, b % _MODULUS, "s" + how[1:]
    return {
        "eq": a == b,
        "ne": a != b,
        "slt": a < b,
        "sle": a <= b,
        "sgt": a > b,
        "sge": a >= b,
    }[how]
