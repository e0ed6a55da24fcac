"""Finds the mutants of a source file: places where the code can be changed without moving lines."""
import re
from dataclasses import dataclass

import swift_text

SWAPPED = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+",
           "/": "*", "min": "max", "max": "min", "true": "false", "false": "true"}
OPERATOR = re.compile(r"(?<=[^\s(,] )(==|!=|<=|>=|<|>|&&|\|\||[-+*/])(?= \S)|(?<![\w.])(?:min|max)(?=\()|(?<![\w.])(?:true|false)(?!\w)")
NUMBER = re.compile(r"(?<![\w.$#])(0x[0-9A-Fa-f_]+|\d[\d_]*(?:\.\d+)?)(?![\w.])")
# Expressions that end with their line: what is returned, assigned, or the body of a declaration in one line.
VALUE = re.compile(r"(?:\breturn | = | [-+]= )(?P<value>.+)$|^\s*(?:[\w@(). ]*\b(?:var|func)\b.*) \{ (?P<body>.+) \}$")
CONDITION = re.compile(r"^\s*(?:\} else )?(?P<head>if|guard|while|else if) (?P<conditions>.*?)(?: else \{.*| \{.*| else)$")
# Lines that are neither an expression nor an assignment.
OTHER = re.compile(
    r"\s*(?:(?:return|throw|let|var|guard|if|for|while|repeat|switch|case|default|func|init|break|continue|defer|do|catch|else|import"
    r"|super\.init|self\.init|in|async let|public|private|fileprivate|internal|static|final|extension|struct|class|enum|protocol|typealias)(?!\w)|[#@}.])")
# A call or an assignment in one line, which can be removed.
STATEMENT = re.compile(
    r"\s*(?:(?:_ = )?(?:try[?!]? )?(?:await )?[A-Za-z_$.][\w.$?!]*(?:\[[^\]]*\][?!]?)?[\w.?!]* ?[({].*[)}]"
    r"|[A-Za-z_$][\w.$?!]*(?:\[.*\])?[\w.?!]* (?:=|[-+*/|&^]=) \S.*)$")
# Code without observable effects.
SILENT = re.compile(r"reserveCapacity|hasher\.combine|precondition|assert|#file|fatalError|\.hash\(|^\s*(?:@|#|case \.?\w+ = |import |\)?.*\bfunc .*[({]$)")


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    kind: str
    # The range of the line that is replaced, and the text, with {on} for the mutant's switch.
    start: int
    end: int
    text: str
    before: str
    after: str


def find(path, text):
    """Yields the mutants of a file, in the order of its lines."""
    lines, code = text.split("\n"), swift_text.masked(text).split("\n")
    depth = 0
    for index, line in enumerate(code):
        # Code under a condition may not be compiled here. CURL is around whole files.
        if directive := re.match(r"\s*#(if|endif)\b(?! CURL\b)", line):
            depth += 1 if directive[1] == "if" else -1 if depth else 0
        elif line.strip() and not depth and not SILENT.search(line):
            for kind, start, end, new, switched in of_line(code, index, lines[index]):
                after = lines[index][:start] + new + lines[index][end:]
                yield Mutant(path, index + 1, kind, start, end, switched, lines[index].strip(), after.strip())


def of_line(code, index, line):
    """Yields the kind, the range, and the new text of each mutant of a line, without and with its switch."""
    masked = code[index]
    conditions = CONDITION.match(masked)
    value = None if conditions else VALUE.search(masked)
    ranges = []
    if conditions:
        parts = swift_text.top_level_parts(conditions["conditions"])
        for first, last in ((first + conditions.start("conditions"), last + conditions.start("conditions")) for first, last in parts):
            first += len(masked[first:last]) - len(masked[first:last].lstrip())
            if swift_text.is_balanced(masked[first:last]) and not re.match(r"(let|var|case|#|await|try)\b", masked[first:last]):
                ranges.append((first, last))
                negated = f"!({line[first:last]})"
                yield "condition", first, last, negated, f"({{on}} ? {negated} : ({line[first:last]}))"
    elif value:
        ranges.append(value.span(value.lastgroup))
    elif not OTHER.match(masked) and is_whole(code, index):
        ranges.append((len(masked) - len(masked.lstrip()), len(masked.rstrip())))
    for first, last in ranges:
        if not swift_text.is_balanced(masked[first:last]) or masked[first:last].endswith(("{", "(", "[", ",", "=")):
            continue
        for match in OPERATOR.finditer(masked, first, last):
            yield "operator", *changed(line, first, last, match, SWAPPED[match[0]])
        for match in NUMBER.finditer(masked, first, last):
            yield "constant", *changed(line, first, last, match, other_number(match[1]))
    if STATEMENT.match(masked) and not OTHER.match(masked) and swift_text.is_balanced(masked) and is_whole(code, index):
        start = len(masked) - len(masked.lstrip())
        yield "statement", start, len(line), f"/* {line[start:]} */", f"if !{{on}} {{ {line[start:]} }}"


def changed(line, first, last, match, new):
    text = line[first:match.start()] + new + line[match.end():last]
    return first, last, text, f"({{on}} ? ({text}) : ({line[first:last]}))"


def other_number(text):
    if "." in text:
        return str(float(text) * 2 + 1)
    value = int(text.replace("_", ""), 0)
    # For a large limit, one more makes no difference.
    value = value + 1 if value < 1000 else value * 2
    return hex(value) if "x" in text else str(value)


def is_whole(code, index):
    """Whether a line is a complete statement: `send()` between `let a = 1` and `}`, but not before `.resume()`."""
    before = next((line.strip() for line in reversed(code[:index]) if line.strip()), "")
    after = next((line.strip() for line in code[index + 1:] if line.strip()), "")
    return bool(re.search(r"([{})\]\w\"?!]| in|\b(case .*|default):)$", before)) and not re.search(r"(^|\s)(return|=)$", before) \
        and not re.match(r"[.?:&|+\-*/=<>{,]", after)
