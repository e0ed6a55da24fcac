"""Runs scripts/check-api on a module, changes the module's interface, and checks the output."""
import json
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "sample",
    products: [
        .library(name: "Sample", targets: ["Sample"]),
        .library(name: "Optional", targets: ["Optional"]),
    ],
    traits: [.trait(name: "Extras")],
    dependencies: [.package(url: "https://example.com/extras", from: "1.0.0")],
    targets: [
        .target(name: "Sample", path: "Sources/Sample"),
        .target(
            name: "Optional",
            dependencies: [
                .product(name: "Extras", package: "extras", condition: .when(traits: ["Extras"]))
            ],
            path: "Sources/Optional"),
    ]
)
"""

SOURCE = """\
@_exported import Swift

/// Documented, which the text leaves out.
public protocol Shape: Sendable {
    associatedtype Unit: Hashable
    var area: Double { get }
    func scaled(by factor: Double) -> Self
}

extension Shape {
    public func scaled(by factor: Double) -> Self { self }
    public var doubled: Double { area * 2 }
}

extension Shape where Unit == Int {
    public static var unit: Int { 1 }
}

public struct Square: Shape, Hashable, Codable {
    public typealias Unit = Int
    public var side = 1.0
    public let name: String
    var hidden = 1
    public var area: Double { side * side }

    public init(side: Double = 2, name: String = "square") throws {
        self.side = side
        self.name = name
    }

    @available(*, deprecated, message: "of no use")
    public func old() {}
    public enum Corner: String { case top, bottom }
    public subscript(index: Int) -> Double { side }
}

public enum Moya {
    public typealias Square = Sample.Square
}

public struct Box<Value> {
    public init() {}
}

extension Box: Equatable where Value: Equatable {}

extension Box where Value == Int {
    public func sum() -> Int { 0 }
}

extension Array where Element: Shape {
    public var total: Double { 0 }
}

open class Node {
    public init() {}
    open func visit() {}
    public final func leave() {}
}

public let limit = 3
@_spi(Internals) public struct Internal {}
struct Private {}
"""

TEXT = """\
// module Sample
@_exported import Swift

let limit: Int

struct Box<Value>
    init()

extension Box: Equatable where Value: Equatable

extension Box where Value == Int
    func sum() -> Int

enum Moya

open class Node
    init()
    final func leave()
    open func visit()

protocol Shape: Sendable
    associatedtype Unit : Hashable
    var area: Double { get }
    func scaled(by factor: Double) -> Self

extension Shape
    var doubled: Double { get }
    func scaled(by factor: Double) -> Self

extension Shape where Self.Unit == Int
    static var unit: Int { get }

struct Square: Decodable, Encodable, Equatable, Hashable, Sendable, Shape
    var area: Double { get }
    let name: String
    var side: Double
    init(side: Double = 2, name: String = "square") throws
    @available(*, deprecated) func old()
    subscript(index: Int) -> Double { get }
    enum Corner: Equatable, Hashable, RawRepresentable
        case bottom
        case top
        init?(rawValue: String)
    typealias Unit = Int

extension Swift.Array where Element: Shape
    var total: Double { get }
"""


class CheckAPI(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ["check-api", "api", "swift"]:
            source = ROOT / "scripts" / name
            (self.root / "scripts").mkdir(exist_ok=True)
            (shutil.copytree if source.is_dir() else shutil.copy)(source, self.root / "scripts" / name)
        (self.root / "Package.swift").write_text(MANIFEST)
        self.build(SOURCE)

    def build(self, source):
        """Creates the files of a root build: the module, and the compiler's arguments."""
        scratch = self.root / ".build/root"
        (scratch / "debug/Modules").mkdir(parents=True, exist_ok=True)
        commands = []
        for module, text in [("Sample", source), ("Optional", "")]:
            file = self.root / "Sources" / module / f"{module}.swift"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            path = scratch / f"debug/Modules/{module}.swiftmodule"
            commands.append(["swiftc", "-module-name", module, "-emit-module", "-emit-module-path", str(path),
                             "-parse-as-library", "-swift-version", "6", "-I", str(path.parent), str(file)])
        subprocess.run(commands[0], check=True, cwd=self.root)
        target = json.loads(subprocess.check_output(["swiftc", "-print-target-info"]))["target"]["unversionedTriple"]
        (scratch / "debug.yaml").write_text("".join(
            f"  args: {json.dumps([*command, '-target', target])}\n" for command in commands))

    def run_script(self, *arguments):
        result = subprocess.run([self.root / "scripts/check-api", *arguments], capture_output=True, text=True)
        return result.returncode, (result.stdout + result.stderr).splitlines()

    def test_interface_is_written_sorted_and_a_changed_declaration_is_reported(self):
        left_out = "check-api: Optional is left out, because it was built without Extras"
        file = self.root / "api/Sample.swift.txt"
        self.assertEqual(self.run_script("--update"), (0, [left_out]))
        self.assertEqual(file.read_text(), TEXT)
        self.assertEqual(self.run_script(), (0, [left_out]))

        # Changes that do not affect the interface.
        self.build(SOURCE.replace("var hidden = 1", "var hidden = 2").replace("Documented, which", "Documented: what"))
        self.assertEqual(self.run_script(), (0, [left_out]))

        self.build(SOURCE.replace("side: Double = 2,", "side: Double,").replace("    public func old() {}\n", "")
                   .replace('    @available(*, deprecated, message: "of no use")\n', "")
                   .replace("public let limit = 3", "public let limit = 3.0"))
        self.assertEqual(self.run_script(), (1, [
            left_out,
            "check-api: api/Sample.swift.txt",
            "- let limit: Int",
            "+ let limit: Double",
            '- struct Square { init(side: Double = 2, name: String = "square") throws',
            "- struct Square { @available(*, deprecated) func old()",
            '+ struct Square { init(side: Double, name: String = "square") throws',
            "check-api: the public interface has changed. If that is intended, run scripts/check-api --update.",
        ]))

    def test_file_of_a_product_that_is_gone_is_reported_and_removed(self):
        self.run_script("--update")
        stray = self.root / "api/Gone.swift.txt"
        stray.write_text("// module Gone\nlet gone: Int\n")
        status, lines = self.run_script()
        self.assertEqual(status, 1)
        self.assertIn("- let gone: Int", lines)
        self.run_script("--update")
        self.assertFalse(stray.exists())

    def test_missing_build_is_an_error_that_names_what_to_do(self):
        shutil.rmtree(self.root / ".build")
        self.assertEqual(self.run_script(), (1, [
            f"check-api: {self.root.resolve()}/.build/root/debug.yaml is missing: build the root first, as scripts/test does"]))


if __name__ == "__main__":
    unittest.main()
