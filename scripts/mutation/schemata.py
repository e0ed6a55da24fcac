"""Inserts mutants into sources, each with a switch, so that one build contains all of them."""

import mutants as mutation

# Operators of mutants consist of two characters that no source uses.
FIRST_OPERATOR, OPERATORS = 0x2200, 0x100

PRECEDENCE = {
    "==": "ComparisonPrecedence", "&&": "LogicalConjunctionPrecedence", "||": "LogicalDisjunctionPrecedence",
    "??": "NilCoalescingPrecedence", "+": "AdditionPrecedence", "-": "AdditionPrecedence",
    "*": "MultiplicationPrecedence", "/": "MultiplicationPrecedence", "%": "MultiplicationPrecedence",
    "+=": "AssignmentPrecedence", "-=": "AssignmentPrecedence", "..<": "RangeFormationPrecedence",
    "...": "RangeFormationPrecedence",
}

SWITCH = """\
import Foundation

/// The mutant that is on, by an environment variable. Another one names a file with a byte for each mutant, which becomes 1
/// when its code runs. Usable from inline, so that default arguments of public functions may have a mutant.
@usableFromInline enum MoyaMutant {
    private static let active = Int(ProcessInfo.processInfo.environment["MOYA_MUTANT_PACKAGE"] ?? "") ?? 0

    nonisolated(unsafe) private static let reached: UnsafeMutablePointer<UInt8>? = {
        guard let path = ProcessInfo.processInfo.environment["MOYA_REACHED_PACKAGE"] else { return nil }
        let file = open(path, O_RDWR)
        guard file >= 0, let memory = mmap(nil, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            memory != MAP_FAILED
        else { return nil }
        return memory.bindMemory(to: UInt8.self, capacity: COUNT)
    }()

    @usableFromInline static func on(_ id: Int) -> Bool {
        reached?[id] = 1
        return active == id
    }

    @usableFromInline static func flips(_ id: Int, _ value: Bool) -> Bool { on(id) ? !value : value }

    @usableFromInline static func holds(_ id: Int, _ value: Bool) -> Bool { on(id) || value }
}
"""


def character(id):
    return chr(FIRST_OPERATOR + id // OPERATORS) + chr(FIRST_OPERATOR + id % OPERATORS)


def written(text, numbered):
    """Returns the text of a file with mutants.

    `numbered` has pairs of a number and a mutant, at most one per line.
    """
    lines = text.split("\n")
    for id, mutant in numbered:
        edits = [
            mutation.Edit(edit.start, edit.end, replaced(edit.text, id)) for edit in mutant.edits
        ]
        lines[mutant.line - 1] = mutation.apply(lines[mutant.line - 1], edits)
    return "\n".join(lines)


def replaced(text, id):
    return text.replace("{on}", f"MoyaMutant.on({id})").replace("{id}", str(id)).replace("{operator}", character(id))


def support(package, numbered):
    """Returns the text of the generated file, with switch and operators, and each line's mutant."""
    lines, owners = SWITCH.replace("COUNT", str(len(numbered) + 1)).replace("PACKAGE", package).split("\n"), {}
    for id, mutant in numbered:
        if mutant.operator:
            for line in operator(character(id), f"MoyaMutant.on({id})", *mutant.operator):
                lines.append(line)
                owners[len(lines)] = mutant
    return "\n".join(lines) + "\n", owners


def operator(name, on, original, other):
    if original == "!":
        return [f"prefix operator {name}", f"@usableFromInline prefix func {name} (value: Bool) -> Bool {{ {on} ? value : !value }}"]
    precedence = PRECEDENCE["=="] if original in mutation.COMPARISONS else PRECEDENCE[original]
    return [f"infix operator {name}: {precedence}"] + [f"@usableFromInline func {name} {body}" for body in bodies(on, original, other)]


def bodies(on, original, other):
    swapped = f"{{ {on} ? left {other} right : left {original} right }}"
    if original in ("==", "!="):
        yield f"<T: Equatable>(left: T, right: T) -> Bool {swapped}"
        yield f"<T>(left: T?, right: _OptionalNilComparisonType) -> Bool {swapped}"
    elif original in mutation.COMPARISONS:
        yield f"<T: Comparable>(left: T, right: T) -> Bool {swapped}"
    elif original in ("&&", "||"):
        yield (f"(left: Bool, right: @autoclosure () throws -> Bool) rethrows -> Bool "
               f"{{ {on} ? try left {other} right() : try left {original} right() }}")
    elif original == "??":
        for result in ("T", "T?"):
            yield (f"<T>(left: T?, right: @autoclosure () throws -> {result}) rethrows -> {result} "
                   f"{{ {on} ? try right() : try left ?? right() }}")
    elif original in ("+=", "-="):
        yield (f"<T: AdditiveArithmetic>(left: inout T, right: T) "
               f"{{ if {on} {{ left {other} right }} else {{ left {original} right }} }}")
    elif original in ("..<", "..."):
        result = "Range" if original == "..<" else "ClosedRange"
        yield (f"<T: Strideable>(left: T, right: T) -> {result}<T> where T.Stride: SignedInteger "
               f"{{ left{original}({on} ? max(left, right.advanced(by: -1)) : right) }}")
    else:
        bound = {"+": "AdditiveArithmetic", "-": "AdditiveArithmetic", "*": "Numeric"}.get(original, "BinaryInteger")
        yield f"<T: {bound}>(left: T, right: T) -> T {swapped}"
        if {original, other} == {"+", "-"}:
            yield f"(left: Date, right: TimeInterval) -> Date {swapped}"
