"""Runs scripts/check-hooks on small sources and checks its output."""
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

PIPELINE = """
struct Pipeline {
    func adapt(_ request: URLRequest) -> URLRequest { plugins.reduce(request) { $1.prepare($0, target: target) } }
    func announce() { for plugin in plugins { plugin.willSend(outgoing, target: target) } }
    func report(_ result: Answer) { plugins.forEach { $0.didReceive(result, target: target) } }
    func finish(_ result: Answer) -> Answer { plugins.reduce(result) { $1.process($0, target: target) } }
}
"""


def check(files):
    """Returns status and output for sources with these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder) / "Packages/Shop/Sources/Shop" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        result = subprocess.run([ROOT / "scripts/check-hooks", "--root", folder], capture_output=True, text=True)
        return result.returncode, (result.stdout + result.stderr).splitlines()


class Hooks(unittest.TestCase):
    def test_one_call_of_each_hook_passes(self):
        self.assertEqual(check({"Pipeline.swift": PIPELINE}), (0, []))

    def test_a_planted_second_call_fails_with_both_places(self):
        files = {"Pipeline.swift": PIPELINE, "Stub.swift": "import Foundation\n\nplugin.didReceive(\n    .failure(x(y)),\n    target: target)\n"}
        self.assertEqual(check(files), (1, [
            "check-hooks: the hook didReceive of plugins is called in 2 places, not in one",
            "  Packages/Shop/Sources/Shop/Pipeline.swift:5",
            "  Packages/Shop/Sources/Shop/Stub.swift:3",
        ]))

    def test_a_hook_without_a_call_fails(self):
        files = {"Pipeline.swift": PIPELINE.replace("$1.process($0, target: target)", "$0")}
        self.assertEqual(check(files), (1, ["check-hooks: the hook process of plugins is called in 0 places, not in one"]))

    def test_comments_strings_declarations_and_other_functions_are_no_calls(self):
        other = """
        // plugin.prepare(request, target: target)
        let text = "plugin.prepare(request, target: target)"
        func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest { request }
        kitchen.prepare(food); oven.process(cake, (to: target))
        """
        self.assertEqual(check({"Pipeline.swift": PIPELINE, "Other.swift": other}), (0, []))


class Repository(unittest.TestCase):
    def test_the_sources_of_the_repository_call_each_hook_in_one_place(self):
        result = subprocess.run([ROOT / "scripts/check-hooks"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout), (0, ""))


if __name__ == "__main__":
    unittest.main()
