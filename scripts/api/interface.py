"""The public interface of a module as text, from its symbol graphs.

Each declaration is a line, followed by its members, indented. Extensions of protocols, of types of
other modules, and with conditions are written as `extension`. Types are sorted by name, members by
kind and name. Documentation, messages of deprecations, and synthesised members of Equatable,
Hashable and Codable are left out.
"""

import collections
import re

# Order of a type's members. Other kinds (types) come last.
KINDS = [
    "swift.associatedtype", "swift.enum.case", "swift.type.property", "swift.property", "swift.init", "swift.type.method",
    "swift.method", "swift.type.subscript", "swift.subscript", "swift.func.op", "swift.var", "swift.func", "swift.deinit",
]
TYPES = {"swift.struct", "swift.class", "swift.enum", "swift.protocol", "swift.actor"}
# Conformances that types have by default.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
SYNTHESIZED = {
    "==(_:_:)": "Equatable", "hash(into:)": "Hashable", "hashValue": "Hashable", "encode(to:)": "Encodable",
    "init(from:)": "Decodable",
}
CONSTRAINTS = {"conformance": ": ", "superclass": ": ", "sameType": " == "}


def text(graphs):
    """Returns the interface in the symbol graphs of one module."""
    lines = list(Interface(graphs).lines())
    # Blank lines around declarations with members.
    has_members = [line.startswith(" ") for line in lines[1:]] + [False]
    out = []
    for index, line in enumerate(lines):
        if index and not line.startswith(" ") and (has_members[index] or lines[index - 1].startswith(" ")):
            out.append("")
        out.append(line)
    return "".join(f"{line}\n" for line in out)


class Interface:
    def __init__(self, graphs):
        self.module = graphs[0]["module"]["name"]
        self.symbols, names = {}, {}
        self.conformances, self.requirements = collections.defaultdict(list), set()
        for graph in graphs:
            for symbol in graph["symbols"]:
                self.symbols[symbol["identifier"]["precise"]] = symbol
                names[symbol["identifier"]["precise"]] = ".".join(symbol["pathComponents"])
        for relation in (relation for graph in graphs for relation in graph["relationships"]):
            source, kind = relation["source"], relation["kind"]
            if kind in ("conformsTo", "inheritsFrom"):
                name = names.get(relation["target"]) or relation.get("targetFallback", "").split(".", 1)[-1]
                entry = name, self.conditions(relation.get("swiftConstraints", []), source)
                if name not in IMPLIED and entry not in self.conformances[source]:
                    self.conformances[source].append(entry)
            elif kind in ("requirementOf", "optionalRequirementOf"):
                self.requirements.add(source)
        self.types = {
            tuple(symbol["pathComponents"]): identifier
            for identifier, symbol in self.symbols.items() if symbol["kind"]["identifier"] in TYPES}
        # Declarations by block: its name ("" for the top level), whether it is an extension, and
        # the conditions.
        self.blocks = collections.defaultdict(list)
        for identifier, symbol in self.symbols.items():
            if not self.is_synthesized(identifier, symbol):
                self.blocks[self.place(identifier, symbol)].append(symbol)

    def lines(self):
        yield from self.block(("", False, ""), "")
        # Extensions of types of other modules.
        for place in sorted(self.blocks):
            name, is_extension, _ = place
            if is_extension and tuple(name.split(".")) not in self.types:
                yield from self.extension(place)

    def place(self, identifier, symbol):
        """Returns the block of a declaration: type name, whether it is an extension, conditions."""
        parent = tuple(symbol["pathComponents"][:-1])
        extension = symbol.get("swiftExtension", {})
        own = self.types.get(parent)
        where = self.conditions(extension.get("constraints", []), own)
        if not parent:
            return "", False, ""
        if own is None:
            return ".".join((extension.get("extendedModule", self.module), *parent)), True, where
        is_default = self.symbols[own]["kind"]["identifier"] == "swift.protocol" and identifier not in self.requirements
        return ".".join(parent), is_default or bool(where), where

    def conditions(self, constraints, extended):
        """Returns the conditions of an extension, without those of the extended type itself."""
        known = self.symbols.get(extended, {}).get("swiftGenerics", {}).get("constraints", [])
        return ", ".join(sorted(
            f"{constraint['lhs']}{CONSTRAINTS[constraint['kind']]}{constraint['rhs']}"
            for constraint in constraints if constraint not in known and constraint["rhs"] not in IMPLIED))

    def is_synthesized(self, identifier, symbol):
        protocol = SYNTHESIZED.get(symbol["names"]["title"].split(".")[-1])
        parent = self.types.get(tuple(symbol["pathComponents"][:-1]))
        if protocol is None or parent is None or identifier in self.requirements:
            return False
        conformed = {name for name, _ in self.conformances[parent]}
        return bool(conformed & {protocol, "Hashable" if protocol == "Equatable" else protocol, "Codable"})

    def block(self, place, indent):
        for symbol in sorted(self.blocks.get(place, []), key=order):
            yield indent + self.declaration(symbol)
            if symbol["kind"]["identifier"] in TYPES:
                name = ".".join(symbol["pathComponents"])
                yield from self.block((name, False, ""), indent + "    ")
                for name, where in sorted(self.conformances[symbol["identifier"]["precise"]]):
                    if where:
                        yield f"{indent}extension {'.'.join(symbol['pathComponents'])}: {name} where {where}"
                for other in sorted(self.blocks):
                    if other[:2] == (".".join(symbol["pathComponents"]), True):
                        yield from self.extension(other, indent)

    def extension(self, place, indent=""):
        name, _, where = place
        yield f"{indent}extension {name}" + (f" where {where}" if where else "")
        yield from self.block(place, indent + "    ")

    def declaration(self, symbol):
        words = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
        words = re.sub(r"\s+", " ", words).strip()
        if symbol["kind"]["identifier"] in TYPES:
            # The fragments omit conformances. The conditions of a generic type are at their end.
            head, _, where = words.partition(" where ")
            head = head.split(" : ")[0]
            names = sorted(name for name, condition in self.conformances[symbol["identifier"]["precise"]] if not condition)
            words = head + (": " + ", ".join(names) if names else "") + (f" where {where}" if where else "")
        opened = "open " if symbol["accessLevel"] == "open" else ""
        return "".join(f"{attribute} " for attribute in availability(symbol)) + opened + words


def availability(symbol):
    versions = []
    for entry in symbol.get("availability", []):
        if entry.get("isUnconditionallyDeprecated"):
            yield "@available(*, deprecated)"
        elif entry.get("isUnconditionallyUnavailable"):
            yield f"@available({entry.get('domain', '*')}, unavailable)"
        elif "introduced" in entry:
            numbers = [str(entry["introduced"][part]) for part in ("major", "minor", "patch") if part in entry["introduced"]]
            versions.append(f"{entry['domain']} {'.'.join(numbers)}")
    if versions:
        yield f"@available({', '.join(sorted(versions))}, *)"


def order(symbol):
    kind = symbol["kind"]["identifier"]
    words = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return KINDS.index(kind) if kind in KINDS else len(KINDS), symbol["pathComponents"][-1], words
