"""Text analysis of Swift: which characters are code."""

import re

CLOSING = {"(": ")", "[": "]", "{": "}"}
QUOTES = r'(#*)("""|")'
COMMENT_OR_STRING = re.compile(rf"//|/\*|{QUOTES}")
STRING_OR_PARENTHESIS = re.compile(rf"[()]|{QUOTES}")


def masked(text, interpolations=False):
    """Returns the text with blanks for comments and `s` for each character of strings.

    Lines and columns do not change. With `interpolations`, the code inside of `\\(…)` is kept.
    """
    out = list(text)
    place = 0

    def blank(start, end, filler):
        out[start:end] = re.sub(".", filler, text[start:end])

    while found := COMMENT_OR_STRING.search(text, place):
        start = found.start()
        if found[0] == "//":
            place = text.find("\n", start)
            place = len(text) if place < 0 else place
            blank(start, place, " ")
        elif found[0] == "/*":
            place = end_of_comment(text, start)
            blank(start, place, " ")
        else:
            interpolated = []
            place = end_of_string(text, found, interpolated)
            blank(found.end(), place - len(found[2]) - len(found[1]), "s")
            for first, last in interpolated if interpolations else []:
                out[first:last] = " " + masked(text[first + 1:last - 1], True) + " "
    return "".join(out)


def end_of_comment(text, place):
    depth = 0
    while place < len(text):
        if text.startswith("/*", place):
            depth, place = depth + 1, place + 2
        elif text.startswith("*/", place):
            depth, place = depth - 1, place + 2
            if depth == 0:
                return place
        else:
            place += 1
    return place


def end_of_string(text, opening, interpolated=None):
    """Returns the end of a string.

    Appends the range of each interpolation, with its parentheses, to `interpolated`.
    """
    close, escape = opening[2] + opening[1], "\\" + opening[1]
    end = re.compile(rf"{close}|{re.escape(escape)}(.|\n)")
    place = opening.end()
    while found := end.search(text, place):
        place = found.end()
        if found[0] == close:
            return place
        if found[1] == "(":
            start = place - 1
            place = end_of_interpolation(text, place)
            if interpolated is not None:
                interpolated.append((start, place))
    return len(text)


def end_of_interpolation(text, place):
    depth = 1
    while depth and (found := STRING_OR_PARENTHESIS.search(text, place)):
        place = found.end()
        if found[2]:
            place = end_of_string(text, found)
        else:
            depth += 1 if found[0] == "(" else -1
    return len(text) if depth else place


def is_balanced(code):
    stack = []
    for character in code:
        if character in CLOSING:
            stack.append(CLOSING[character])
        elif character in CLOSING.values() and (not stack or stack.pop() != character):
            return False
    return not stack


def top_level_parts(code, separator=","):
    """Returns the ranges between separators outside of brackets."""
    depth, start, parts = 0, 0, []
    for index, character in enumerate(code):
        if character in CLOSING:
            depth += 1
        elif character in CLOSING.values():
            depth -= 1
        elif character == separator and depth == 0:
            parts.append((start, index))
            start = index + 1
    return parts + [(start, len(code))]
