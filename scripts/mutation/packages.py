"""Packages that can be mutated, and their risky files. Code that needs a trait is not mutated."""

import dataclasses
import re

# Weight of a place in a risky file, relative to other places.
RISKY = 6


@dataclasses.dataclass(frozen=True)
class Package:
    # The module's name.
    name: str
    # Path prefixes below Sources/<name>.
    risky: tuple
    # The folder in Packages/, if it differs from the module's name.
    package: str = ""

    @property
    def folder(self):
        return self.package or self.name

    @property
    def sources(self):
        return f"Packages/{self.folder}/Sources/{self.name}"

    def weight(self, path):
        """How often a place in this file is drawn, relative to others. 0 is never."""
        place = path.removeprefix(self.sources + "/")
        if place == path or not path.endswith(".swift") or any(re.match(pattern, place) for pattern in UNTOUCHED):
            return 0
        return RISKY if place.startswith(self.risky) else 1


# Files that are not mutated: generated names, and tables of constants.
UNTOUCHED = (r"(.*/)?Moya(\+\w+)?\.swift$", r".*Constants\.swift$", r".*Table\.swift$", r"Names/")

PACKAGES = {
    package.name: package
    for package in (
        Package(
            "MoyaCore",
            ("Provider/", "Transport/Redirect", "Messages/ResponseBodyWriter", "Messages/ReceivedValue",
             "Messages/TransportResponse", "Redaction/", "Authentication/", "Support/Backoff"),
        ),
        Package(
            "MoyaLayers",
            ("Cache/", "Retry/", "TokenRefresh/", "RateLimit/", "Concurrency/", "CircuitBreaker/"),
        ),
        Package(
            "MoyaMultipart",
            ("Forms/", "Reading/", "Downloads/", "ResumableUploads/", "Transfers/TransferRetry", "Transfers/StateFile"),
        ),
        Package("MoyaStreaming", ("EventSource", "LineSplitter", "ServerSentEvent")),
        Package("MoyaStubs", ("Stubs/", "Cassettes/", "Clock/"), package="MoyaTesting"),
        Package("MoyaMockServer", ("NIO/", "MockResponse"), package="MoyaTesting"),
        Package("MoyaTesting", ("Catalog/", "OpenAPI/")),
        Package("MoyaPlugins", ("NetworkLog", "AccessToken")),
        Package("MoyaTransportFoundation", ("Exchange/", "Platform/")),
        Package("MoyaTransportCurl", ("Engine/", "Response/", "Decoding/", "Library/")),
    )
}
