"""Mutants that change nothing a test or a caller could observe, each with the reason."""

# (end of the path, line before, line after): reason
EQUIVALENT = {
    (
        "Stubs/Matching/String+Distance.swift",
        "guard !left.isEmpty, !right.isEmpty else { return left.count == right.count ? 0 : 1 }",
        "guard !left.isEmpty, true else { return left.count == right.count ? 0 : 1 }",
    ): "the loops below come to 1 as well where the other text is empty",
}


def reason(mutant):
    for (path, before, after), text in EQUIVALENT.items():
        if mutant.path.endswith(path) and (mutant.before, mutant.after) == (before, after):
            return text
    return None
