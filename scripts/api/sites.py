"""Documents modules with docc: one archive for a module, or for a module and those that it re-exports."""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import graphs
from products import ROOT

# The names under the prefix `Moya.`, which scripts/moya-names derives from the others.
DERIVED = re.compile(r"^Moya\.\w+$")
# Not every parameter has to be explained.
EXPECTED = re.compile(r"^Parameter '.*' is missing documentation$")
LINK = re.compile(r"(?<!`)``([^`\n]+)``(?!`)")
CODE = re.compile(r"(?<!`)`(\w+)`(?!`)")
FENCE = re.compile(r"^\s*```")
# Only the compiler calls the methods of a result builder (SE-0289). It also makes the projected value of a wrapped property,
# which cannot have a comment.
ON_PURPOSE = re.compile(r"\.\$|\.build(?:Array|Block|Either|Expression|FinalResult|LimitedAvailability|Optional|PartialBlock)\(")


class Library:
    """The symbol graphs of modules, and the names that they declare."""

    def __init__(self, modules, built, threads):
        self.graphs = dict(zip(modules, threads.map(lambda module: _graphs(module, built[module]), modules)))
        self.paths = {
            module: {tuple(symbol["pathComponents"]) for name in found for symbol in found[name]["symbols"] if "@" not in name}
            for module, (found, _) in self.graphs.items()}

    def declares(self, module, name):
        return (name,) in self.paths[module]

    def owner(self, name, modules):
        """The first of the modules that declares the name at file scope."""
        return next((module for module in modules if self.declares(module, name)), None)

    def undocumented(self, module):
        """The place and the path of each public symbol without documentation.

        A symbol that fulfils a requirement of a protocol has the requirement's.
        """
        found, _ = self.graphs[module]
        inherited = {
            edge["source"] for graph in found.values() for edge in graph["relationships"]
            if edge.get("sourceOrigin") or edge["kind"] == "defaultImplementationOf"}
        for graph in found.values():
            for symbol in graph["symbols"]:
                path = ".".join(symbol["pathComponents"])
                if "docComment" not in symbol and symbol["identifier"]["precise"] not in inherited and not ON_PURPOSE.search(path):
                    yield _place(symbol), path

    def symbol_count(self, module):
        return sum(len(graph["symbols"]) for graph in self.graphs[module][0].values())


def _graphs(module, words):
    """The symbol graphs of a module by their files' names: as members of the types that it extends, and as extensions."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for options in ([], ["-emit-extension-block-symbols"]):
            output = Path(folder) / str(len(found))
            output.mkdir()
            found.append({path.name: json.loads(path.read_text()) for path in graphs.extract(module, words, str(output), *options)})
    for graph in (graph for kind in found for graph in kind.values()):
        graph["symbols"] = [symbol for symbol in graph["symbols"] if not DERIVED.match(".".join(symbol["pathComponents"]))]
    return found


def _place(symbol):
    location = symbol.get("location")
    if not location:
        return "without a place"
    return f"{_in_repository(location['uri'].removeprefix('file://'))}:{location['position']['line'] + 1}"


def _in_repository(path):
    """A path in the repository. The modules may have been built in another checkout of it."""
    return re.sub(r"^.*?/(?=Packages/)", "", path)


def convert(modules, library, package, output, base_path="/"):
    """Writes the archive of the modules, of which the first gives its name, into the folder `output`. Returns docc's warnings.

    Several modules are converted at once, and not merged from an archive of each: the methods that MoyaLayers adds to
    `Transport` then are on the page of `Transport`, and links cross the modules. docc writes no page above several modules, and
    its sidebar shows one of them. `docc merge` of the one archive adds the page, and `_list_modules` completes the sidebar.
    """
    title = modules[0]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        symbols, catalogue, archive, report = (folder / name for name in ("symbols", f"{title}.docc", f"{title}.doccarchive", "report.json"))
        symbols.mkdir()
        for module in modules:
            for name, graph in _chosen(module, modules, library):
                (symbols / name).write_text(json.dumps(_with_links(graph, name, module, modules, library)))
            for source in package.folder(module).glob("*.docc"):
                _copy(source, catalogue / module, module, modules, library)
        command = ["docc", "convert", *([catalogue] if catalogue.exists() else []), "--additional-symbol-graph-dir", symbols,
                   "--output-path", archive, "--fallback-display-name", title, "--fallback-bundle-identifier", title,
                   "--transform-for-static-hosting", "--hosting-base-path", base_path, "--diagnostics-output-path", report]
        result = subprocess.run(command, capture_output=True, text=True)
        warnings = list(_warnings(report, catalogue, package))
        if result.returncode != 0 and not warnings:
            return [f"{title}: docc failed: {result.stderr[-1000:]}"]
        if archive.exists():
            shutil.rmtree(output, ignore_errors=True)
            output.parent.mkdir(parents=True, exist_ok=True)
            if len(modules) > 1:
                subprocess.run(["docc", "merge", archive, "--output-path", output, "--synthesized-landing-page-name", title,
                                "--synthesized-landing-page-topics-style", "list"], check=True, capture_output=True)
                _list_modules(output / "index/index.json", title)
            else:
                shutil.move(archive, output)
        return warnings


def _list_modules(path, title):
    """Lists the modules in the sidebar of the module `title`, which docc narrows to the module of the page."""
    index = json.loads(path.read_text())
    for root in (root for roots in index["interfaceLanguages"].values() for root in roots):
        module = next(child for child in root["children"] if child["title"] == title)
        others = [child for child in root["children"] if child is not module]
        module["children"] = [*module.get("children", []), {"title": "Modules", "type": "groupMarker"}, *others]
    path.write_text(json.dumps(index))


def _chosen(module, modules, library):
    """The graphs of a module. What it adds to a type of another documented module becomes a member of that type."""
    as_members, as_extensions = library.graphs[module]
    for name, graph in as_extensions.items():
        extended = _extended(name)
        yield name, as_members[name] if extended in modules and name in as_members else graph


def _extended(name):
    """The module whose types the graph in the file `name` extends."""
    return name.removesuffix(".symbols.json").partition("@")[2]


def _with_links(graph, name, module, modules, library):
    """The graph with links that docc can resolve: it looks for names of a member in the module of the type that it is a member of."""
    extended = _extended(name)
    graph = json.loads(json.dumps(graph))
    for symbol in graph["symbols"]:
        lines = symbol.get("docComment", {}).get("lines", [])
        texts = _linked([line["text"] for line in lines], symbol["pathComponents"], extended or module, module, modules, library)
        for line, text in zip(lines, texts):
            line["text"] = text
    return graph


def _linked(lines, path, home, module, modules, library):
    """The lines with their links as absolute paths, or as code if no page of the archive has what they name.

    `path` and `home` are the symbol's path and the module whose page has it, `module` the module that declares it.
    """
    def is_relative(name):
        members = library.paths.get(home, set())
        return any((*path[:count], name) in members for count in range(1, len(path) + 1))

    def link(match):
        text = match[1].lstrip("/")
        name = re.split(r"[/(-]", text)[0]
        if is_relative(name):
            return match[0] if home in modules else f"`{text}`"
        owner = library.owner(name, [module, *modules, *library.graphs])
        if owner is None or owner == module and module == home or match[1].startswith("/"):
            return match[0]
        if owner in modules:
            return f"``/{owner}/{text}``" if len(modules) > 1 else match[0]
        return f"`{text}`"

    def code(match):
        """Links a name of another module, which documentation of one module cannot."""
        owner = library.owner(match[1], [module, *modules])
        if match[1] in modules[1:] and match[1] != module:
            return f"``/{match[1]}``"
        return f"``/{owner}/{match[1]}``" if owner and owner != module and match[1] not in modules else match[0]

    fenced = False
    for line in lines:
        fenced ^= bool(FENCE.match(line))
        if not fenced and not line.startswith("#"):
            line = LINK.sub(link, line if len(modules) == 1 else CODE.sub(code, line))
        yield line


def _copy(source, target, module, modules, library):
    """Copies a catalogue, with links that docc can resolve in an archive of these modules."""
    shutil.copytree(source, target)
    for path in target.rglob("*.md"):
        lines = path.read_text().split("\n")
        path.write_text("\n".join(_linked(lines, [], module, module, modules, library)))


def _warnings(report, catalogue, package):
    """The warnings of docc, each with its place in the repository."""
    found = json.loads(report.read_text())["diagnostics"] if report.exists() else []
    for warning in found:
        if warning["severity"] in ("error", "warning") and not EXPECTED.match(warning["summary"]):
            place = warning.get("source", "").removeprefix("file://")
            if place.startswith(f"{catalogue}/"):
                module, _, rest = place.removeprefix(f"{catalogue}/").partition("/")
                source = next(package.folder(module).glob("*.docc"))
                place = f"{source.relative_to(ROOT)}/{rest}"
            line = warning.get("range", {}).get("start", {}).get("line")
            yield f"{_in_repository(place)}{f':{line}' if line else ''}: {warning['summary']}"
