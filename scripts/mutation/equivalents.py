"""Mutants that change nothing a test or a caller could observe, each with the reason."""

# (end of the path, line before, line after): reason
EQUIVALENT = {}


def reason(mutant):
    for (path, before, after), text in EQUIVALENT.items():
        if mutant.path.endswith(path) and (mutant.before, mutant.after) == (before, after):
            return text
    return None
