"""Which lines the conditions of Swift (`#if`) select on a platform."""
import re
from collections import Counter

import swift_text

CURL_MODULES = {"MoyaTransportCurl"}
TRAITS = {"AsyncHTTPClient", "Crypto", "HTTPTypes", "Logging", "Macros", "Metrics", "MockServer", "OpenAPI", "OpenCombine", "ReactiveSwift", "RxSwift",
          "ServiceLifecycle", "Tracing", "XML", "YAML"}
COMMON = {"Foundation", "Dispatch", "XCTest", "Testing"}
APPLE = COMMON | {"Darwin", "Security", "CryptoKit", "Combine", "Network"}
# Name: the system, the modules that can be imported, the names that are defined.
PLATFORMS = {
    "Linux": ("Linux", COMMON | {"Glibc", "FoundationNetworking", "FoundationXML"}, TRAITS | {"CURL"}),
    "Linux without traits": ("Linux", COMMON | {"Glibc", "FoundationNetworking", "FoundationXML"}, {"CURL"}),
    "macOS": ("macOS", APPLE | {"AppKit"}, TRAITS | {"CURL"}),
    "iOS": ("iOS", APPLE | {"UIKit"}, TRAITS),
}
DIRECTIVE = re.compile(r"^ *#(if|elseif|else|endif)\b(.*)")


def holds(condition, platform):
    """Whether a condition is true on a platform."""
    system, importable, defined = PLATFORMS[platform]

    def value(match):
        if match[1] == "canImport":
            return str(match[2].strip() in importable)
        if match[1] == "os":
            return str(match[2].strip() == system)
        if match[1] in ("compiler", "swift"):
            return "True"
        if match[1]:
            return "False"
        return str(match[3] in defined)

    python = re.sub(r"\b(\w+)\(([^()]*)\)|\b([A-Za-z_]\w*)", value, condition)
    return eval(python.replace("&&", " and ").replace("||", " or ").replace("!", " not "))


def selected(text, platform):
    """Returns the numbers of the lines with code that a platform compiles."""
    found, stack = set(), []
    for number, line in enumerate(swift_text.masked(text).splitlines(), 1):
        if match := DIRECTIVE.match(line):
            kind, condition = match[1], match[2].strip()
            if kind == "if":
                now = holds(condition, platform)
                stack.append([now, now])
            elif kind == "elseif":
                now = not stack[-1][1] and holds(condition, platform)
                stack[-1] = [now, stack[-1][1] or now]
            elif kind == "else":
                stack[-1] = [not stack[-1][1], True]
            else:
                stack.pop()
        elif line.strip() and all(now for now, _ in stack):
            found.add(number)
    return found


def report(root, paths, details):
    """Prints how many lines Apple's platforms compile and Linux does not, and the lines that neither compiles."""
    beyond, neither, places = Counter(), [], []
    for path in paths:
        text = path.read_text()
        if "#if" not in text:
            continue
        lines = {platform: selected(text, platform) for platform in PLATFORMS}
        linux = lines["Linux"] | lines["Linux without traits"]
        apple = (lines["macOS"] | lines["iOS"]) - linux
        every = {number for number, line in enumerate(swift_text.masked(text).splitlines(), 1)
                 if line.strip() and not DIRECTIVE.match(line)}
        beyond["macOS"] += len(lines["macOS"] - linux)
        beyond["iOS"] += len(lines["iOS"] - linux)
        beyond["either"] += len(apple)
        name = path.relative_to(root)
        if apple:
            places.append(f"{len(apple):5} {name}")
        masked = swift_text.masked(text).splitlines()
        neither += [f"{name}:{number}: {text.splitlines()[number - 1].strip()}" for number in sorted(every)
                    if not any(number in found for found in lines.values()) and masked[number - 1].strip()]
    if details:
        print("\n".join(places))
        print("\n".join(neither))
    print(f"{beyond['either']} lines that Linux does not compile ({beyond['macOS']} for macOS, {beyond['iOS']} for iOS) "
          f"are compiled with stand-ins; {len(neither)} for other systems are compiled nowhere")
