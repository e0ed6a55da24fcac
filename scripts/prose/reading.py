"""Finds the prose in source files and in Markdown: comments, names of tests, paragraphs."""

import re
from bisect import bisect_right

COMMENT = re.compile(r"^\s*//+[:!]? ?(.*)$")
TEST_NAME = re.compile(r"\bfunc `([^`]* [^`]*)`|@(?:Suite|Test)\(\s*\"([^\"]+)\"")
FENCE = re.compile(r"^\s*(?:```|~~~)")
# A list item, a heading or a table row begins a passage.
BEGINNING = re.compile(r"^\s*(?:[-*+] |\d+\. |#|\||>)")
CELL = re.compile(r"(?<!\\)\|")
MARK = re.compile(r"^[\s>]*(?:[-*+] |\d+\. |#+ )?(?:(?:Parameters?\b[^:]*|[Tt]hrows|[Rr]eturns|Note|Important|Warning|[\w()]+):(?= ))?\s*")
# Code and addresses, whose words are not prose.
SKIPPED = re.compile(r"``[^`]+``|`[^`]+`|\]\([^)]*\)|https?://\S+")


class Passage:
    """Consecutive lines of prose as one text, which knows the line of each character. In `text`, code is masked."""

    def __init__(self):
        self.text, self.original, self.starts, self.lines = "", "", [], []

    def add(self, line, text):
        self.starts.append(len(self.original))
        self.lines.append(line)
        self.original += text.strip() + " "

    def line(self, place):
        return self.lines[bisect_right(self.starts, place) - 1]

    def around(self, place):
        return self.original[max(0, place - 20):place + 60].strip()

    def finished(self):
        self.text = SKIPPED.sub(lambda match: "c" * len(match[0]), self.original)
        return self


def prose_lines(path, text):
    """The number and the text of each line of prose: comments without their slashes, and names of tests."""
    if path.suffix == ".md":
        yield from enumerate(text.split("\n"), 1)
        return
    for number, line, is_comment in source_lines(text):
        if is_comment:
            yield number, COMMENT.match(line)[1]
        else:
            for match in TEST_NAME.finditer(line):
                yield number, f"# {match[1] or match[2]}"
            yield number, ""


def source_lines(text):
    """The number and the text of each line, and whether it is a comment. Lines of a multi-line string are not."""
    inside = False
    for number, line in enumerate(text.split("\n"), 1):
        is_comment = not inside and bool(COMMENT.match(line))
        if not is_comment and line.count('"""') % 2:
            inside = not inside
        yield number, line, is_comment


def without_code(lines):
    """The lines that are outside of fenced blocks. The lines of a block are empty."""
    inside = False
    for number, text in lines:
        is_fence = bool(FENCE.match(text))
        yield number, "" if is_fence or inside else text
        inside ^= is_fence


def passages(path, text):
    """The paragraphs, list items, headings, table cells and names of tests."""
    passage = Passage()
    for number, line in without_code(prose_lines(path, text)):
        if not line.strip() or BEGINNING.match(line):
            if passage.lines:
                yield passage.finished()
            passage = Passage()
        if line.lstrip().startswith("|"):
            for cell in CELL.split(line):
                passage.add(number, cell)
                yield passage.finished()
                passage = Passage()
        elif line.strip():
            passage.add(number, line[MARK.match(line).end():] if not passage.lines else line)
        if line.lstrip().startswith("#"):
            yield passage.finished()
            passage = Passage()
    if passage.lines:
        yield passage.finished()


def line_count(path, text):
    return sum(1 for _, line in without_code(prose_lines(path, text)) if line.strip())


def long_comments(path, text, columns):
    """The number and the length of each comment line of Swift that is too long, unless it is a single word, such as a URL."""
    if path.suffix != ".swift":
        return
    for number, line, is_comment in source_lines(text):
        if is_comment and len(line) > columns and len(COMMENT.match(line)[1].split()) > 1:
            yield number, len(line)
