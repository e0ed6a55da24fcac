"""Equivalent mutants: no test or caller can observe them. Each has a reason."""

# (end of the path, line before, line after): reason
EQUIVALENT = {
    (
        "Stubs/Matching/String+Distance.swift",
        "guard !left.isEmpty, !right.isEmpty else { return left.count == right.count ? 0 : 1 }",
        "guard !left.isEmpty, true else { return left.count == right.count ? 0 : 1 }",
    ): "the loops below come to 1 as well where the other text is empty",
    (
        "MoyaTransportFoundation/FoundationTransport.swift",
        "options.additionalHeaders = headers.filter { !Self.isForAnyHost($0.key) }",
        "/* options.additionalHeaders = headers.filter { !Self.isForAnyHost($0.key) } */",
    ): "the fields for any host are then set on each request as well, with the value that the session sends anyway",
    (
        "Platform/SessionPlatform+Linux.swift",
        "static let bytesPerPiece = 336",
        "static let bytesPerPiece = 335",
    ): "an estimate: the number of pieces that may wait differs by a third of a percent",
    (
        "Downloads/FilePlacement.swift",
        "if replaces, lstat(target.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {",
        "if replaces, true, status.st_mode & S_IFMT == S_IFREG {",
    ): "lstat is called nevertheless, and leaves zeros if it fails, which are no regular file",
    (
        "Reading/MultipartParser.swift",
        "headerScanned = max(0, buffer.count - position - 3)",
        "/* headerScanned = max(0, buffer.count - position - 3) */",
    ): "the same bytes are then searched again: only slower",
    (
        "Cache/CacheRecord.swift",
        "guard file.count >= headLength, file.starts(with: Self.magic) else { return nil }",
        "guard file.count > headLength, file.starts(with: Self.magic) else { return nil }",
    ): "a file of exactly this length has no index, so the decoder below returns nil for it",
    (
        "Engine/Loop/MultiHandle.swift",
        "return 0",
        "return 1",
    ): "libcurl gives up for -1 alone",
    (
        "Engine/Handle/OpenSSL.swift",
        "guard length > 0 else { return nil }",
        "guard length > 1 else { return nil }",
    ): "a certificate in DER has more than one byte",
    (
        "Engine/Defects/UnsolicitedData.swift",
        "guard isAccepted else { return false }",
        "guard isAccepted else { return true }",
    ): "libcurl before 8.0 never returns here, and tests fail with a later one",
    (
        "Engine/Transfer/RequestMapping.swift",
        "guard (url?.host?.utf8.count ?? 0) <= 255 else {",
        "guard (url?.host?.utf8.count ?? 1) <= 255 else {",
    ): "a URL without a host is below the limit either way",
    (
        "Response/HeaderScan.swift",
        "let isRoomy = capacity - count > max(4096, count / 8)",
        "let isRoomy = capacity - count > max(4096, count / 9)",
    ): "decides only about unused memory that is too little to notice",
    (
        "Cache/CacheRecord.swift",
        "let headLength = Self.magic.count + 16",
        "let headLength = Self.magic.count - 16",
    ): "the digest of a shorter file does not match",
    (
        "Cache/DiskCacheFiles.swift",
        "var size = files.reduce(0) { $0 + $1.size }",
        "var size = files.reduce(1) { $0 + $1.size }",
    ): "one byte of a limit in megabytes",
    (
        "Forms/PartHead.swift",
        "guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }",
        "guard text.utf8.contains(where: { $0 == 0x0D || $0 != 0x0A }) else { return text }",
    ): "a text without line breaks is returned unchanged by what follows, too",
    (
        "Downloads/FilePlacement.swift",
        "try FileSync.file(copy)",
        "/* try FileSync.file(copy) */",
    ): "only a loss of power shows whether the bytes were on the disk",
    (
        "Exchange/SessionDelegate.swift",
        "state.round += 1",
        "state.round += 2",
    ): "only the order of rounds counts",
    (
        "Exchange/SessionExchangeState.swift",
        "private static let leastPieceLimit = 16 << 20",
        "private static let leastPieceLimit = 17 << 20",
    ): "the bound of the memory is not exact",
    (
        "Exchange/SessionExchangeState.swift",
        "metrics.protocolName = transaction.networkProtocolName",
        "/* metrics.protocolName = transaction.networkProtocolName */",
    ): "URLSession has no metrics on Linux",
    (
        "Engine/Transfer/BodySource.swift",
        "var byte: UInt8 = 0",
        "var byte: UInt8 = 1",
    ): "the byte is overwritten, and never read",
    (
        "MoyaTransportFoundation/FoundationTransport+Sending.swift",
        "for _ in 0..<(method.isIdempotent ? 5 : 1) {",
        "for _ in 0..<(method.isIdempotent ? 4 : 1) {",
    ): "libcurl uses up several dead connections in each attempt, and not always as many: only the bound shows",
    (
        "Exchange/BodyRelay.swift",
        "guard isHeld, let channel else { return }",
        "guard true, let channel else { return }",
    ): "the channel asks for more only after it has refused bytes, and then the exchange is held or fails",
    (
        "Exchange/BodyRelay.swift",
        "self.backlog.discard()",
        "/* self.backlog.discard() */",
    ): "the relay is released right after, and discards its backlog then",
    (
        "Exchange/BodyRelay.swift",
        "self.refused = nil",
        "/* self.refused = nil */",
    ): "the relay is released right after, with these bytes",
    (
        "Exchange/DeadlineTimer.swift",
        "guard let time, due.map({ time < $0 }) ?? true else { return }",
        "guard let time, due.map({ time <= $0 }) ?? true else { return }",
    ): "scheduling the same time again changes nothing",
    (
        "Exchange/DeadlineTimer.swift",
        "state.withLock { $0.timer.cancel() }",
        "/* state.withLock { $0.timer.cancel() } */",
    ): "the timer is released right after, and libdispatch cancels a source that is released",
    (
        "Exchange/Backlog.swift",
        "ftruncate(descriptor, 0)",
        "ftruncate(descriptor, 1)",
    ): "the byte that stays in the file is overwritten by the next, or goes with the file",
    (
        "Exchange/SessionExchange+Time.swift",
        "guard let due = nextCheck(), due <= .now() else { return }",
        "guard let due = nextCheck(), due < .now() else { return }",
    ): "differs for a single nanosecond",
    (
        "Exchange/SessionExchange+Time.swift",
        "if let deadline, deadline.time <= .now() {",
        "if let deadline, deadline.time < .now() {",
    ): "differs for a single nanosecond",
    (
        "Platform/SessionCookies.swift",
        "if let expiry = cookie.expiresDate, expiry <= Date() {",
        "if let expiry = cookie.expiresDate, expiry < Date() {",
    ): "differs only in the instant in which a cookie expires",
    (
        "Platform/SessionCookies.swift",
        "(isSecure || !cookie.isSecure) && cookie.expiresDate.map { $0 > Date() } ?? true",
        "(isSecure || !cookie.isSecure) && cookie.expiresDate.map { $0 >= Date() } ?? true",
    ): "differs only in the instant in which a cookie expires",
    (
        "Platform/SessionCookies.swift",
        ".sorted { $0.path.utf8.count > $1.path.utf8.count }",
        ".sorted { $0.path.utf8.count >= $1.path.utf8.count }",
    ): "HTTPCookieStorage returns cookies with equally long paths in a random order",
    (
        "ResumableUploads/UploadRun.swift",
        "case 400..<500:",
        "case 400..<501:",
    ): "a response with status 500 is thrown before, as a transient failure",
    (
        "Decoding/BodyDecoding.swift",
        "let (sum, isTooLarge) = limit.addingReportingOverflow(limit / 8 + 64 << 10)",
        "let (sum, isTooLarge) = limit.addingReportingOverflow(limit / 7 + 64 << 10)",
    ): "decides only how much room the outer codings have above the limit",
    (
        "Engine/Defects/UnsolicitedData.swift",
        "ConnectionCounts(of: socket).map { $0.received > before + UInt64(lineBytes) } ?? false",
        "ConnectionCounts(of: socket).map { $0.received > before + UInt64(lineBytes) } ?? true",
    ): "the system has counted the socket's bytes before, so it does again",
    (
        "Engine/Defects/StallWatchdog.swift",
        "if current != last { count = 0 }",
        "if current != last { count = 1 }",
    ): "the watchdog acts a quarter of a second earlier",
    (
        "Engine/Handle/HandleContext.swift",
        "watchdog = try StallWatchdog(interval: 0.25)",
        "watchdog = try StallWatchdog(interval: 1.5)",
    ): "the watchdog acts some seconds later",
    (
        "System/Poller.swift",
        "let pollerBatch = 256",
        "let pollerBatch = 255",
    ): "decides only how many sockets one call reports",
}


def reason(mutant):
    for (path, before, after), text in EQUIVALENT.items():
        if mutant.path.endswith(path) and (mutant.before, mutant.after) == (before, after):
            return text
    return None
