"""The folders of a module, and which of them uses which.

A component is a folder directly below the sources of the module, with all that is in it. The files beside the folders are one
more, by the name of the module.

What makes an edge from the folder of a file to another one is a name that the other one declares:
- at file scope, a type or a function, constant or variable, alone or behind the name of the module. Not a private one, and not
  where the file's own folder declares the name too or a type around the use has a member of that name.
- as a member, in an extension of a type: used inside of the type, or behind the type's name and a dot. Behind a dot alone
  only if the file names the type, and no other folder and no type's body has a member of that name.
A name that the file also has for a parameter, label or local variable counts for nothing. Neither does a type that only says
where a nested one is: `Transport.Configuration` and `extension Transport { struct Configuration {} }` use no `Transport` where
the configuration is nested by an extension.
Text cannot tell the type of an expression: the members of a type's body make no edge.
"""

import collections
import dataclasses

import graph
from swift_source import Source

# Members of the standard library too, so that a use may be one of those.
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
        # The examples of each edge, by the folder that uses and the folder that is used.
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
        # Each name's declarations with their files, and the names of each type's members.
        self.declared, self.members = collections.defaultdict(list), collections.defaultdict(set)
        # What extensions declare: by type and name, and by name where no other type or folder has such a member.
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
        # A name that several folders declare, such as an overloaded function, points to none of them.
        if len(folders) != 1 or user in folders:
            return
        place, declaration = found[0]
        example = Example(str(path), use.line, use.name, str(place))
        self.edges.setdefault((user, *folders), []).append(example)

    def _visible(self, path, use):
        # In `Name.Nested`, a type that an extension nests, the first name only says where to look.
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
