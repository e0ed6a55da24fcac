"""The packages that can be mutated, and where a defect would cost most. Traits are off: code behind them stays as it is."""

import dataclasses
import re

# How much more often a place in a risky file is drawn than one elsewhere.
RISKY = 6


@dataclasses.dataclass(frozen=True)
class Package:
    name: str
    # Beginnings of paths below Sources/<name>.
    risky: tuple

    @property
    def sources(self):
        return f"Packages/{self.name}/Sources/{self.name}"

    def weight(self, path):
        """How often a place in this file is drawn, relative to others. 0 is never."""
        place = path.removeprefix(self.sources + "/")
        if place == path or not path.endswith(".swift") or any(re.match(pattern, place) for pattern in UNTOUCHED):
            return 0
        return RISKY if place.startswith(self.risky) else 1


# Names alone, tables whose every row is as likely to be wrong as the next, and code that is itself a test.
UNTOUCHED = (r"(.*/)?Moya(\+\w+)?\.swift$", r".*Constants\.swift$", r".*Table\.swift$", r"Conformance/", r"Programs/")

PACKAGES = {
    package.name: package
    for package in (
        Package(
            "MoyaCore",
            ("Provider/", "Transport/Redirect", "Transport/ByteChannel", "Transport/ReceivedValue", "Support/Redaction/"),
        ),
        Package(
            "MoyaPlugins",
            ("Cache/", "Retry/", "TokenRefresh/", "RateLimit/", "Concurrency/", "CircuitBreaker/"),
        ),
        Package(
            "MoyaMultipart",
            ("Forms/", "Reading/", "Downloads/", "ResumableUploads/", "Transfers/TransferRetry", "Transfers/StateFile"),
        ),
        Package("MoyaTesting", ("Stubs/", "Cassettes/", "Clock/")),
        Package("MoyaTransportFoundation", ("Exchange/", "Authentication/", "Platform/")),
        Package("MoyaTransportCurl", ("Transfer/", "Loop/", "Decoding/", "Handle/")),
    )
}
