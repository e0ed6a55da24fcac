"""The phrases that scripts/words counts, each with the reason."""

import re
from typing import NamedTuple

# Where a sentence begins: at the beginning of a passage, or behind the end of another sentence.
START = r"(?:^|(?<=[.;:!?] )|(?<=[.;:!?]\) ))"


class Phrase(NamedTuple):
    name: str
    pattern: re.Pattern
    reason: str


def phrase(name, pattern, reason, flags=re.I):
    return Phrase(name, re.compile(pattern, flags), reason)


PHRASES = [
    # A noun exists.
    phrase("nobody", r"\b(?:nobody|somebody|anybody|everybody)\b",
           "Name the party: the caller, the client, the server, another process, another task."),
    phrase("whoever", r"\bwho(?:so|m)?ever\b", "Name the party: the caller, the reader, the client."),
    phrase("who", START + r"Who\b(?![^.]*\?)", "A sentence's subject is a noun: “The caller”, “A client that”.", 0),
    phrase("the one who", r"\b(?:the|each|every|those|one|first|next|last|only) (?:one )?who\b|\bwho asks?\b",
           "Name the party: the waiter, the caller, the reader."),
    phrase("What …", START + r"What(?: |’s|'s)(?![^.]*\?)",
           "A clause in place of a noun: “What leaks grows each time” is “A leak grows each time”. A summary begins with a noun or a verb.", 0),
    phrase("what is … that", r"\bwhat is\b[^.?;:]*\bthat\b(?![^.]*\?)", "A clause in place of a noun."),
    phrase("of what is", r"\b(?:for|of|from|than|with|to|in|by|on) what (?:is|are|was|has|have|comes|came)\b",
           "A clause in place of a noun: “`nil` for what is no time” is “`nil` if it is not a valid time”."),
    phrase("one that", r"\b(?:one|ones|those) that\b|\bthe one (?:of|with|that|whose)\b",
           "Repeat the noun: “the connection that”. A reader has to search for what “one” stands for."),
    phrase("One whose …", START + r"One (?:whose|for|with|without|that|which|who|alone|in)\b",
           "A summary names its noun: “A certificate for another host”.", 0),
    phrase("That of …", START + r"(?:That|Those) (?:of|in|with|whose|who|for|from)\b",
           "Repeat the noun: “The digest of a whole file”.", 0),
    phrase("another one", r"\b(?:is|was|are|were|of|about|from|than|for) another one\b|" + START + r"Another one\b", "Repeat the noun: “another thread”."),
    # Nothing, none.
    # “if there is none” is plain English behind its noun, as in “The key, or `nil` if there is none.”
    phrase("none", r"(?<!\bif there )(?<!\bor there )(?<!\buntil there )\b(?:is|are|was|were) none\b|"
           + START + r"(?-i:None)\b(?! of (?:the|them))",
           "Name what is missing: “if the request has no body”."),
    phrase("nothing of", r"\bnothing of\b|\bknows? (?:nothing|no|of no)\b|\bsay(?:s|ing)? (?:nothing|something)\b",
           "Say what is missing or unknown: “without a Content-Length”, “the format does not define”."),
    phrase("is no", r"(?<!there )\b(?:is|are|was|were|be) no (?!longer\b|more\b|later\b|less\b|need\b|such\b|other\b|different\b|worse\b|better\b)",
           "“is not a URL”, “is invalid”, “has no limit”."),
    # Verbs that say little.
    phrase("is told", r"\b(?:is|are|was|were|be|been|being) told\b|\btold apart\b",
           "The term: notified, called, passed, configured, distinguished."),
    phrase("is asked", r"\b(?:is|are|was|were|be|been|being) asked\b",
           "The term: requested, queried, called, polled."),
    phrase("tells … from", r"\btells? [^.]{1,40} from\b", "The term: distinguishes, identifies."),
    phrase("takes note", r"\btak(?:es?|en|ing) note\b", "The term: records, stores, counts."),
    phrase("sees to", r"\bsees? to\b", "The term: ensures, handles."),
    phrase("becomes of", r"\b(?:becomes?|became|come) of\b", "The term: result, outcome, disposition."),
    phrase("goes by", r"\bgo(?:es)? by\b|\blook(?:s|ing)? (?:through )?at .{1,30} go by\b", "The term: uses, is named, elapses."),
    phrase("has to do with", r"\b(?:has|have|had|having) (?:nothing |something |anything )?to do with\b", "Say how the two are related."),
    # Idioms and pictures.
    phrase("as ever", r"\bas ever\b|\bas good as\b|\ball the same\b|\bhold(?:s|ing)? against\b|\bthrough with\b",
           "An idiom that a reader of a second language has to decode: “unchanged”, “still”, “although”."),
    phrase("in the clear", r"\bin the clear\b", "The term: without TLS, plaintext, over http."),
    phrase("nothing moves", r"\bhow long nothing\b|\bnothing (?:may )?moves?\b|\bmay move\b", "The term: idle timeout, no progress, no bytes transferred."),
    phrase("pictures", r"\b(?:lea(?:ve|ves|ving|ft) [^.]{0,25}\balone\b|last word|eyes alone|behind (?:our|its|their|the \w+'s) back|without a word"
           r"|turn (?:has )?comes?|whose turn|hands of|hands move|into [^.]{0,25}'s hands|to pieces|under (?:its|their) nose)",
           "The term: ignores, decides, private, notification, scheduled, parses."),
    phrase("so does", r"\bso (?:does|do|did|is|are|was|were) (?:that|those|some|one|who)\b|\blikewise\b|\b(?:does|do) the same\b",
           "Repeat the verb, so that the sentence stands alone."),
]
