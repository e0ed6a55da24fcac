"""The public interface of a module as text, from its symbol graphs.

Each declaration is a line, followed by its members, indented. Extensions of protocols, of types of other modules, and with
conditions are written as `extension`. Types are sorted by name, members by kind and name. Documentation, messages of
deprecations, and synthesised members of Equatable, Hashable and Codable are left out.
"""
from collections import defaultdict

# Order of a type's members. Other kinds (types) come last.
KINDS = ["associatedtype", "enum.case", "type.property", "property", "init", "type.method", "method", "type.subscript", "subscript",
         "func.op", "var", "func", "deinit"]
TYPES = {"struct", "class", "enum", "protocol", "actor"}
# Conformances that types have by default.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}
SYNTHESIZED = {"==(_:_:)": {"Equatable", "Hashable"}, "hash(into:)": {"Hashable"}, "hashValue": {"Hashable"},
               "encode(to:)": {"Encodable", "Codable"}, "init(from:)": {"Decodable", "Codable"}}


def kind(symbol):
    return symbol["kind"]["identifier"].removeprefix("swift.")


def words(symbol):
    return " ".join("".join(fragment["spelling"] for fragment in symbol["declarationFragments"]).split())


def order(symbol):
    name = kind(symbol)
    return KINDS.index(name) if name in KINDS else len(KINDS), symbol["pathComponents"][-1], words(symbol)


def availability(symbol):
    versions = []
    for entry in symbol.get("availability", []):
        if entry.get("isUnconditionallyDeprecated"):
            yield "@available(*, deprecated) "
        elif entry.get("isUnconditionallyUnavailable"):
            yield f"@available({entry.get('domain', '*')}, unavailable) "
        elif "introduced" in entry:
            numbers = [str(entry["introduced"][part]) for part in ("major", "minor", "patch") if part in entry["introduced"]]
            versions.append(f"{entry['domain']} {'.'.join(numbers)}")
    if versions:
        yield f"@available({', '.join(sorted(versions))}, *) "


class Interface:
    """The blocks of an interface: by the name of a type ("" at the top level), whether it is an extension, and its conditions."""

    def __init__(self, graphs):
        self.module = graphs[0]["module"]["name"]
        self.symbols = {symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]}
        self.types = {tuple(symbol["pathComponents"]): identifier for identifier, symbol in self.symbols.items() if kind(symbol) in TYPES}
        self.conformances, self.requirements, self.blocks = defaultdict(set), set(), defaultdict(list)
        for relation in (relation for graph in graphs for relation in graph["relationships"]):
            source, target = relation["source"], self.symbols.get(relation["target"])
            if relation["kind"] in ("conformsTo", "inheritsFrom"):
                name = ".".join(target["pathComponents"]) if target else relation.get("targetFallback", "").split(".", 1)[-1]
                self.conformances[source].add((name, self.conditions(relation.get("swiftConstraints", []), source)))
            elif relation["kind"] in ("requirementOf", "optionalRequirementOf"):
                self.requirements.add(source)
        for identifier, symbol in self.symbols.items():
            conformed = {name for name, _ in self.conformances[self.types.get(tuple(symbol["pathComponents"][:-1]))]}
            if identifier in self.requirements or not conformed & SYNTHESIZED.get(symbol["names"]["title"].split(".")[-1], set()):
                self.blocks[self.place(identifier, symbol)].append(symbol)

    def place(self, identifier, symbol):
        parent, extension = tuple(symbol["pathComponents"][:-1]), symbol.get("swiftExtension", {})
        own = self.types.get(parent)
        where = self.conditions(extension.get("constraints", []), own)
        if not parent:
            return "", False, ""
        if own is None:
            return ".".join((extension.get("extendedModule", self.module), *parent)), True, where
        is_default = kind(self.symbols[own]) == "protocol" and identifier not in self.requirements
        return ".".join(parent), is_default or bool(where), where

    def conditions(self, constraints, extended):
        """Returns the conditions of an extension, without those of the extended type itself."""
        known = self.symbols.get(extended, {}).get("swiftGenerics", {}).get("constraints", [])
        return ", ".join(sorted(
            f"{constraint['lhs']}{' == ' if constraint['kind'] == 'sameType' else ': '}{constraint['rhs']}"
            for constraint in constraints if constraint not in known and constraint["rhs"] not in IMPLIED))

    def text(self):
        lines = list(self.block(("", False, ""), ""))
        for name, is_extension, where in sorted(self.blocks):
            if is_extension and tuple(name.split(".")) not in self.types:
                lines += self.extension((name, is_extension, where), "")
        # Blank lines around declarations with members.
        has_members = [line.startswith(" ") for line in lines[1:]] + [False]
        return "".join(("\n" if index and not line.startswith(" ") and (has_members[index] or lines[index - 1].startswith(" ")) else "")
                       + f"{line}\n" for index, line in enumerate(lines))

    def block(self, place, indent):
        for symbol in sorted(self.blocks.get(place, []), key=order):
            conformances = sorted((name, where) for name, where in self.conformances[symbol["identifier"]["precise"]] if name not in IMPLIED)
            yield indent + self.declaration(symbol, [name for name, where in conformances if not where])
            if kind(symbol) in TYPES:
                path = ".".join(symbol["pathComponents"])
                yield from self.block((path, False, ""), indent + "    ")
                yield from (f"{indent}extension {path}: {name} where {where}" for name, where in conformances if where)
                for other in sorted(self.blocks):
                    if other[:2] == (path, True):
                        yield from self.extension(other, indent)

    def extension(self, place, indent):
        yield f"{indent}extension {place[0]}" + (f" where {place[2]}" if place[2] else "")
        yield from self.block(place, indent + "    ")

    def declaration(self, symbol, conformances):
        text = words(symbol)
        if kind(symbol) in TYPES:
            # The fragments omit conformances. The conditions of a generic type are at their end.
            head, _, where = text.partition(" where ")
            text = head.split(" : ")[0] + (": " + ", ".join(conformances) if conformances else "") + (f" where {where}" if where else "")
        return "".join(availability(symbol)) + ("open " if symbol["accessLevel"] == "open" else "") + text
