"""What FoundationTransport is known to do on Linux, inside URLSession, where no public API can change it.

(kind of finding, a mutation of the exchange or of one before it, reason)
"""

import re

KNOWN = [
    (r"a cut answer is a success|a success that no strict reference shares", r"(raw )?(deflate|gzip): .*|a body that is cut|.*in a redirect",
     "URLSession takes the end of a connection, or of a coding, for the end of the body"),
    (r"a valid answer fails", r"(gzip|deflate): (members|empty member)", "libcurl decodes the first member alone"),
    (r"a valid answer (fails|differs)|hang|crash|a success that no strict reference shares", r".*",
     "URLSession beside a server that is not to be trusted: see the README of MoyaTransportFoundation"),
]


def known(finding):
    """The reason for which a finding is known, or None."""
    labels = [label for exchange in finding.case.exchanges[:finding.exchange + 1] for label in exchange.labels]
    for kind, mutation, reason in KNOWN:
        if re.fullmatch(kind, finding.kind) and any(re.fullmatch(mutation, label, re.S) for label in labels):
            return reason
    return None
