"""Mutants that change nothing a test or a caller could observe, each with the reason."""

# (end of the path, line before, line after): reason
EQUIVALENT = {
    (
        "Cache/CacheDemand.swift",
        "var maximumStaleness: TimeInterval = 0",
        "var maximumStaleness: TimeInterval = 1",
    ): "the initializer sets it before it is read",
}


def reason(mutant):
    for (path, before, after), text in EQUIVALENT.items():
        if mutant.path.endswith(path) and (mutant.before, mutant.after) == (before, after):
            return text
    return None
