"""Finds the possible mutants of a source file.

A mutant does not move lines. In its edits, `{on}` is replaced by the switch of the mutant, and
`{operator}` by an operator of the mutant, which behaves like the original one until the mutant is
on.
"""

import dataclasses
import re

import swift_text

COMPARISONS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"]}
ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "+"}
DECLARATION = re.compile(
    r"\s*(@\w+(\([^)]*\))?\s+)*((public|private|fileprivate|internal|open|static|final|override|mutating|nonisolated"
    r"(\(unsafe\))?|class|indirect|convenience|required|prefix|infix|private\(set\))\s+)*"
    r"(func|init|extension|protocol|struct|enum|class|actor|typealias|associatedtype|operator|subscript|import)\b")
# Starts of lines that cannot be removed as a statement. Matches `return value`, but not
# `returned(value)`.
NO_STATEMENT = re.compile(
    r"(return|throw|let|var|guard|if|for|while|repeat|switch|case|default|func|init|break|continue|defer|do|catch|else|import"
    r"|precondition|assert|assertionFailure|super\.init|self\.init|fatalError|in|async let|#|@|\})\b")
# A call on one line. Matches `store.save(entry)` and `run { save() }`, but not
# `count == limit(of: queue)`.
CALL = re.compile(r"(_ = )?(try[?!]? )?(await )?[A-Za-z_$.][\w.$?!]*(\[[^\]]*\][?!]?)?[\w.?!]* ?[({].*[)}]$")
# An assignment on one line. Matches `entries[key] = value`, but not `left == right`.
ASSIGNMENT = re.compile(r"[A-Za-z_$][\w.$?!]*(\[.*\])?[\w.?!]* (=|[-+*/|&^]=) \S.*$")
# Code without observable effects: reserved capacity, hash values, assertions and source locations.
SILENT = re.compile(r"reserveCapacity|hasher\.combine|precondition|assert|#file|fatalError|\.hash\(")
RETURN_VALUES = {"Bool": ["true", "false"], "Int": ["0"], "String": ['""']}


@dataclasses.dataclass(frozen=True)
class Edit:
    start: int
    end: int
    text: str


@dataclasses.dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    kind: str
    edits: tuple
    before: str
    # The mutated line, without the switch.
    after: str
    # The original operator for `{operator}`, and its replacement when the mutant is on.
    operator: tuple = ()

    @property
    def key(self):
        return f"{self.path}|{self.before}|{self.after}"


def find(path, text):
    """Yields every mutant of a file, in the order of its lines."""
    lines = text.split("\n")
    code = swift_text.masked(text).split("\n")
    compiled = swift_text.compiled_lines(code)
    brackets = swift_text.innermost_brackets(code)
    for index, line in enumerate(code):
        if compiled[index] and line.strip() and not SILENT.search(line):
            yield from LineMutants(path, index, lines[index], line, code, brackets[index]).all()


class LineMutants:
    def __init__(self, path, index, line, code, all_code, bracket):
        self.path, self.index, self.line, self.code = path, index, line, code
        self.all_code, self.bracket = all_code, bracket
        self.start = 0
        if DECLARATION.match(code):
            # The body of a one-line declaration starts after its brace.
            brace = code.find(" { ")
            self.start = brace + 2 if brace >= 0 else len(code)
        elif re.match(r"\s*(@|#|case \.?\w+ = )", code):
            self.start = len(code)

    def all(self):
        yield from self.operators()
        yield from self.literals()
        yield from self.negations()
        yield from self.conditions()
        yield from self.extremes()
        yield from self.statements()
        yield from self.early_returns()

    def mutant(self, kind, edits, plain, operator=()):
        """Returns a mutant. `plain` are the edits that show it without its switch."""
        return Mutant(
            self.path, self.index + 1, kind, tuple(edits), self.line.strip(), apply(self.line, plain).strip(), operator)

    def matches(self, pattern):
        return re.compile(pattern).finditer(self.code, self.start)

    def operators(self):
        for match in self.matches(r"(?<=[^\s(,]) (==|!=|<=|>=|<|>|&&|\|\||\?\?|[-+*/%]|[-+]=) (?=\S)"):
            operator, near = match[1], (self.code[match.start() - 1], self.code[match.end()])
            if operator in COMPARISONS:
                kind, others = "comparison", COMPARISONS[operator]
            elif operator in ("&&", "||"):
                kind, others = "logic", ["||" if operator == "&&" else "&&"]
            elif operator == "??":
                kind, others = "default", ["right"]
            elif '"' in near or "[" in near or "]" in near:
                continue
            elif operator in ("+=", "-="):
                kind, others = "arithmetic", ["-=" if operator == "+=" else "+="]
            else:
                kind, others = "arithmetic", [ARITHMETIC[operator]]
            for other in others:
                yield self.operator(kind, match, other)
        for match in self.matches(r"(?<=[\w)\]])(\.\.<|\.\.\.)(?=[\w(\-])"):
            yield self.operator("bound", match, "upper - 1")

    def operator(self, kind, match, other):
        start, end = match.span(1)
        plain = [Edit(start, end, other)]
        if other == "right":
            plain = [Edit(start, end, "/* ignored */ ??")]
        elif other == "upper - 1":
            plain = [Edit(end, end, " /* upper - 1 */ ")]
        return self.mutant(kind, [Edit(start, end, "{operator}")], plain, (match[1], other))

    def literals(self):
        for match in self.matches(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*\.\d+|\d[\d_]*)(?![\w]|\.\d)"):
            literal = match[1]
            if "." in literal:
                others = [str(float(literal) * 2 + 1)]
            else:
                value = int(literal.replace("_", ""), 0)
                # For a large limit, one more or less makes no difference.
                near = [value + 1, value - 1] if value < 1000 else [value * 2]
                others = [hex(other) if "x" in literal else str(other) for other in near if other >= 0]
            for other in others:
                yield self.literal(match, other)
        for match in self.matches(r"(?<![\w.])(true|false)(?!\w)"):
            yield self.literal(match, "false" if match[1] == "true" else "true")

    def literal(self, match, other):
        start, end = match.span(1)
        switch = f"({{on}} ? {other} : {match[1]})"
        return self.mutant("constant", [Edit(start, end, switch)], [Edit(start, end, other)])

    def negations(self):
        for match in self.matches(r"(?<=[\s(\[,])!(?=[\w(])"):
            start, end = match.span()
            yield self.mutant("negation", [Edit(start, end, "{operator}")], [Edit(start, end, "")], ("!", ""))

    def conditions(self):
        if self.start:
            return
        head = re.match(r"\s*(?:\} else )?(if|guard|while|else if) ", self.code)
        if not head:
            return
        tail = re.search(r" else \{| else$" if head[1] == "guard" else r" \{", self.code)
        if not tail or (head[1] != "guard" and tail.end() != len(self.code) and not self.code.endswith("}")):
            return
        conditions = self.code[head.end():tail.start()]
        parts = swift_text.top_level_parts(conditions)
        for first, last in parts:
            clause = conditions[first:last]
            first += len(clause) - len(clause.lstrip())
            clause = clause.strip()
            if not clause or re.match(r"(let|var|case|#|await|try)\b", clause) or not swift_text.is_balanced(clause):
                continue
            start, end = head.end() + first, head.end() + last
            text = self.line[start:end]
            if len(parts) > 1:
                # A mutant whose condition is always true.
                yield self.mutant(
                    "condition", [Edit(start, end, f"MoyaMutant.holds({{id}}, {text})")], [Edit(start, end, "true")])
            if re.fullmatch(r"[\w.$?]+(\([^{}]*\))?", clause):
                yield self.mutant(
                    "condition", [Edit(start, end, f"MoyaMutant.flips({{id}}, {text})")], [Edit(start, end, "!" + text)])

    def extremes(self):
        for match in self.matches(r"(?<![\w.])(min|max)\("):
            start, opening = match.start(), match.end() - 1
            other = "max" if match[1] == "min" else "min"
            for end in range(opening + 1, len(self.code) + 1):
                if swift_text.is_balanced(self.code[opening:end]):
                    arguments = self.line[opening:end]
                    switch = f"({{on}} ? {other}{arguments} : {match[1]}{arguments})"
                    yield self.mutant("extreme", [Edit(start, end, switch)], [Edit(start, opening, other)])
                    break

    def statements(self):
        stripped = self.code.strip()
        case = re.match(r"(case [^:{}]*|default):\s", stripped) if swift_text.is_balanced(stripped) else None
        first = len(self.code) - len(self.code.lstrip()) + (case.end() if case else 0)
        statement = self.code[first:].rstrip()
        defer = re.fullmatch(r"defer \{ (.*) \}", statement)
        if defer:
            first, statement = first + len("defer { "), defer[1]
        if self.bracket != "{" or self.start or NO_STATEMENT.match(statement) or not swift_text.is_balanced(statement):
            return
        if statement.startswith("."):
            # A call on the value of the previous line.
            return
        if not (CALL.match(statement) or ASSIGNMENT.match(statement)) or not (case or defer or self.is_whole()):
            return
        if re.fullmatch(r"(self\.)?(\w+) = \2", statement):
            return
        end = first + len(statement)
        text = self.line[first:end]
        yield self.mutant(
            "statement", [Edit(first, end, f"if !{{on}} {{ {text} }}")], [Edit(first, end, f"/* {text} */")])

    def is_whole(self):
        """Whether this line is a complete statement, without the previous or next line.

        `send(request)` is complete between `let request = make()` and `}`, but not between
        `let response =` and `}`, or before `.resume()`.
        """
        before = self.neighbour(-1)
        after = self.neighbour(1)
        if before.endswith(":") and not re.match(r"(case|default)\b", before):
            return False
        return bool(re.search(r"([{})\]\w\"?!:]| in)$", before)) and not re.search(r"(^|\s)(return|=)$", before) \
            and not re.match(r"[.?:&|+\-*/=<>{,]", after)

    def neighbour(self, step):
        index = self.index + step
        while 0 <= index < len(self.all_code) and not self.all_code[index].strip():
            index += step
        return self.all_code[index].strip() if 0 <= index < len(self.all_code) else ""

    def early_returns(self):
        header = re.search(
            r"\)(?: async)?(?: throws(?:\([\w.]+\))?| rethrows)?(?: -> (\w+\??|\[[^\]]*\]\??|[\w.<>]+\?))? \{$", self.code)
        if not header or not re.match(r"\s*(\)|.*\bfunc )", self.code) or "init(" in self.code:
            return
        result = header[1]
        if result is None:
            values = [""]
        elif result.endswith("?"):
            values = [" nil"]
        elif result.startswith("["):
            values = [" [:]" if ":" in result else " []"]
        else:
            values = [" " + value for value in RETURN_VALUES.get(result, [])]
        if result and not self.body_returns():
            return
        end = len(self.code)
        for value in values:
            yield self.mutant(
                "early return", [Edit(end, end, f" if {{on}} {{ return{value} }}")], [Edit(end, end, f" return{value}")])

    def body_returns(self):
        """Whether the body that starts here contains `return`.

        Otherwise it is a single expression, which no statement may precede.
        """
        indentation = len(self.code) - len(self.code.lstrip())
        for line in self.all_code[self.index + 1:]:
            if line.strip() and len(line) - len(line.lstrip()) <= indentation:
                return False
            if re.search(r"\breturn\b", line):
                return True
        return False


def apply(line, edits):
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        line = line[:edit.start] + edit.text + line[edit.end:]
    return line
