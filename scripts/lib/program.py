"""Makes one program of the Swift blocks of a document."""
import re

DECLARATION = re.compile(
    r"^(?:@[\w.]+(?:\([^)\n]*\))? )*(?:(?:public|private|final|nonisolated|open) )*"
    r"(?:import|struct|enum|class|actor|protocol|extension|func|typealias)\b", re.M)
# Lines that belong to the item before.
CONTINUATION = re.compile(r"[\s})\]]|case\b|default:")


def declares(item):
    """Whether the first line of an item of Swift that is no comment and no attribute begins a declaration."""
    code = re.sub(r"^(?://.*)?\n", "", item, flags=re.M)
    return bool(DECLARATION.search(code) if code.startswith("@") else DECLARATION.match(code))


def items(block):
    """The declarations and statements of a block of Swift. Each begins at the left margin, with its comments and attributes."""
    found = []
    for line in block.splitlines(keepends=True):
        code = re.sub(r"^(?://.*)?\n", "", found[-1], flags=re.M) if found else ""
        is_prefix = found and (not code or code.startswith("@") and not declares(code))
        if not found or not is_prefix and not CONTINUATION.match(line):
            found.append("")
        found[-1] += line
    return found


def program(text, name=None):
    """The Swift blocks of a document as one program: its declarations, and a function with its statements.

    Declarations are at file scope. The statements of a block are in a scope inside that of the block before: they may use its
    constants, and declare other constants with the same names. A block that begins with "```swift fragment" is left out.
    With a `name`, the compiler's messages have it and the lines of the document.
    """
    # The program is one module, which cannot import itself.
    for module in re.findall(r"^@testable import (\w+)$", text, re.M):
        text = re.sub(rf"^(?:@testable )?import {module}$", "", text, flags=re.M)
    declarations, statements, scopes = "", "", 0
    for match in re.finditer(r"^```swift\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, match.start(1)) + 1
        inside = ""
        for item in items(match[1]):
            place = f'#sourceLocation(file: "{name}", line: {line})\n' if name else ""
            line += item.count("\n")
            if declares(item):
                declarations += place + item
            elif item.strip():
                inside += place + item
        if inside:
            used = re.findall(r"^(?:let|var) (\w+)\b[^{=\n]*=", inside, re.M)
            statements += "do {\n" + inside + "".join(f"_ = {constant}\n" for constant in used)
            scopes += 1
    if scopes:
        statements = "func statements() async throws {\n" + statements + "}\n" * (scopes + 1)
    return declarations, statements
