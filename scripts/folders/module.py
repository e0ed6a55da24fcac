"""Dependencies between the folders of a module, from the names in its sources.

A component is a folder directly below the module's sources, with all its contents. The files
outside of these folders form another component, named after the module.

A component depends on another one if a file uses a name that the other one declares:
- at file scope: a type, function, constant or variable that is not private. The use is the name
  alone, or the module's name, a dot and the name. It does not count if the file's own component
  also declares the name, or an enclosing type has a member with that name.
- as a member in an extension of a type. The use is inside of the type, or the type's name, a dot
  and the name. After another expression and a dot it counts only if the file mentions the type, and
  no other component and no body of a type has a member with that name.

Names that the file also uses for a parameter, label or local variable do not count. Neither does a
type that only qualifies a nested type: `Transport.Configuration` and
`extension Transport { struct Configuration {} }` are no uses of `Transport` if an extension nests
the configuration.

The text does not show the types of expressions, so members in the body of a type never count.
"""

import collections
import dataclasses

import graph
from swift_source import Source

# Names that are also members of types of the standard library: uses are ambiguous.
LIBRARY = {"contains", "count", "drop", "filter", "first", "last", "map", "resume", "values"}


@dataclasses.dataclass(frozen=True, order=True)
class Example:
    file: str
    line: int
    name: str
    declared_in: str

    def __str__(self):
        return f"{self.file}:{self.line} uses {self.name} (declared in {self.declared_in})"


class Module:
    def __init__(self, folder):
        self.name, self.folder = folder.name, folder
        self.sources = {
            path.relative_to(folder): Source(path.read_text()) for path in sorted(folder.rglob("*.swift"))}
        self.folders = {self._component(path) for path in self.sources} - {self.name}
        self._collect()
        # Examples of each edge, by the pair of using and used component.
        self.edges = {}
        for path, source in self.sources.items():
            for use in source.uses:
                self._resolve(path, source, use)
        self.graph = {node: set() for node in self.folders | {self._component(path) for path in self.sources}}
        for user, used in self.edges:
            self.graph[user].add(used)

    def circles(self):
        return graph.circles(self.graph)

    def order(self):
        return graph.order(self.graph)

    def _component(self, path):
        return path.parts[0] if len(path.parts) > 1 else self.name

    def _collect(self):
        # Declarations with their files by name, and names of members by type.
        self.declared, self.members = collections.defaultdict(list), collections.defaultdict(set)
        # Members in extensions: by type and name, and by name if no type's body has the name.
        self.extended, self.in_extensions = collections.defaultdict(list), collections.defaultdict(list)
        in_bodies = set(LIBRARY)
        for path, source in self.sources.items():
            for declaration in source.declarations:
                self.declared[declaration.name].append((path, declaration))
            for member in source.members:
                self.members[member.types[-1]].add(member.name)
                if not member.in_extension:
                    in_bodies.add(member.name)
                elif not member.is_private:
                    self.in_extensions[member.name].append((path, member))
                    self.extended[member.types[-1], member.name].append((path, member))
        for name in in_bodies & self.in_extensions.keys():
            del self.in_extensions[name]

    def _resolve(self, path, source, use):
        if use.base is None:
            found = self._unqualified(path, source, use)
        elif use.base == self.name:
            found = self._visible(path, use)
        else:
            found = self.extended.get((use.base, use.name)) or [
                (place, member) for place, member in self.in_extensions.get(use.name, [])
                if member.types[-1] in source.words]
        folders = {self._component(place) for place, _ in found}
        user = self._component(path)
        # Ambiguous: several components declare the name, such as an overloaded function.
        if len(folders) != 1 or user in folders:
            return
        place, declaration = found[0]
        example = Example(str(path), use.line, use.name, str(place))
        self.edges.setdefault((user, *folders), []).append(example)

    def _visible(self, path, use):
        # In `Name.Nested`, with a type that an extension nests, `Name` only qualifies it.
        if any(member.is_type for _, member in self.extended.get((use.name, use.member), [])):
            return []
        return [(place, declaration) for place, declaration in self.declared.get(use.name, [])
                if place == path or not declaration.is_private]

    def _unqualified(self, path, source, use):
        for name in reversed(use.types):
            if use.name in self.members[name]:
                found = self.extended.get((name, use.name), [])
                return [] if use.name in source.locals else found
        return [] if use.name in source.locals else self._visible(path, use)
