"""Finds the declarations and the uses of names in the text of a Swift file."""

import collections
import dataclasses
import re

import swift_text

TYPES = {"struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype"}
VALUES = {"func", "let", "var", "macro"}
# Keywords whose body is a scope of members.
BODIES = {"struct", "class", "enum", "actor", "protocol", "extension"}
# Keywords after `class` that make it a modifier.
MODIFIED = VALUES | {"override", "final", "subscript", "public", "internal", "private"}
# Compilation conditions and imports: their names are modules and traits.
NO_CODE = re.compile(r"^ *(#(if|elseif|else|endif)\b|(@\w+(\([^)\n]*\))? )*(\w+ )?import ).*$", re.M)
TOKEN = re.compile(r"`?[^\W\d]\w*`?|[{}()]")
NEXT_MEMBER = re.compile(r"\.`?(\w+)")
NAME = re.compile(r"\s+`?([^\W\d]\w*)`?((?:\s*\.\s*[^\W\d]\w*)*)")


@dataclasses.dataclass(frozen=True)
class Declaration:
    name: str
    line: int
    is_type: bool
    # Visible only in its file.
    is_private: bool
    # The enclosing types, innermost last. Empty at file scope.
    types: tuple
    in_extension: bool


@dataclasses.dataclass(frozen=True)
class Use:
    name: str
    line: int
    # The name before its dot, or "" for another expression. `None` without a dot.
    base: str
    # The name after the following dot, or "".
    member: str
    # The enclosing types, innermost last.
    types: tuple


@dataclasses.dataclass
class Scope:
    # The names of the type, such as Task and Request in `extension Task.Request`. Empty for the
    # body of a function or closure.
    names: tuple = ()
    is_enum: bool = False
    is_extension: bool = False
    is_private: bool = False
    # The use of the extended type, and whether the extension only nests types in it.
    use: Use = None
    only_nests: bool = False


class Source:
    """The declarations at file scope, members, local names and uses of a file."""

    def __init__(self, text):
        self.code = NO_CODE.sub(lambda match: " " * len(match[0]), swift_text.masked(text, interpolations=True))
        self.declarations = []
        self.members = []
        self.locals = collections.Counter()
        self.uses = []
        # All names in the code.
        self.words = set(TOKEN.findall(self.code))
        self._line, self._counted = 1, 0
        self._scopes = []
        self._read()

    def _read(self):
        # The scope that the next brace opens, and whether the current declaration is private.
        pending, private, place = None, False, 0
        while token := TOKEN.search(self.code, place):
            place = token.end()
            word = token[0]
            name = NAME.match(self.code, place)
            before = self.code[:token.start()].rstrip()[-1:] if word in BODIES | TYPES | VALUES else ""
            if word == "{":
                self._scopes.append(pending or Scope())
                pending, private = None, False
            elif word == "}":
                scope = self._scopes.pop() if self._scopes else Scope()
                if scope.only_nests and scope.use in self.uses:
                    self.uses.remove(scope.use)
                pending, private = None, False
            elif word in "()":
                pass
            elif word in ("private", "fileprivate"):
                private = private or not self.code.startswith("(", place)
            elif word == "extension" and name:
                token = TOKEN.search(self.code, place)
                place = token.end()
                self._use(name[1], token)
                pending = Scope(self._path(name), is_extension=True, is_private=private, use=self.uses[-1],
                                only_nests=self.code[name.end():].lstrip().startswith("{"))
                private = False
            elif word in TYPES | VALUES and name and before != "." and not (word == "class" and name[1] in MODIFIED):
                self._declare(name[1], token, word in TYPES, private)
                if word in BODIES:
                    pending = Scope((name[1],), is_enum=word == "enum", is_private=private)
                private = False
                place = name.end(1) + (self.code[name.end(1):name.end(1) + 1] == "`")
            elif word == "case" and self._scopes and self._scopes[-1].is_enum and name:
                line = re.sub(r"\([^()]*\)", "", self.code[place:self.code.find("\n", place)])
                for case in re.findall(r"(?:^|,)\s*`?(\w+)", line):
                    self._declare(case, token, False, False)
            else:
                self._use(word.strip("`"), token)

    def _path(self, name):
        return tuple([name[1], *re.findall(r"\w+", name[2])])

    def _types(self):
        return tuple(name for scope in self._scopes for name in scope.names)

    def _line_of(self, token):
        self._line += self.code.count("\n", self._counted, token.start())
        self._counted = token.start()
        return self._line

    def _declare(self, name, token, is_type, is_private):
        inner = self._scopes[-1] if self._scopes else None
        if inner:
            inner.only_nests = inner.only_nests and is_type
        if inner and not inner.names:
            self.locals[name] += 1
            return
        declaration = Declaration(
            name, self._line_of(token), is_type, is_private or any(scope.is_private for scope in self._scopes),
            self._types(), bool(inner and inner.is_extension))
        (self.members if inner else self.declarations).append(declaration)

    def _use(self, name, token):
        before = self.code[max(0, token.start() - 80):token.start()].rstrip()
        base = None
        if before.endswith(".") and not before.endswith(".."):
            base = re.search(r"(\w*)\s*\.$", before)[1]
        after = self.code[token.end():token.end() + 4]
        # A label, a parameter, or the variable of a closure or loop. In a ternary expression, a
        # space precedes the colon.
        if base is None and not name[0].isupper() and (after.startswith(":") or after == " in "):
            self.locals[name] += 1
            return
        if name in ("init", "subscript") and self._scopes:
            self._scopes[-1].only_nests = False
        member = NEXT_MEMBER.match(self.code, token.end())
        self.uses.append(Use(name, self._line_of(token), base, member[1] if member else "", self._types()))
