import MoyaCore

extension TransferRestart {
    /// The saved state belongs to another URL, does not match the partial file, or is damaged.
    static let savedStateUnusable = TransferRestart(
        .notResumable,
        "The partial file cannot be resumed: its saved state is missing, damaged, or of another "
            + "URL.")

    /// The server has sent the whole file, although it was asked for a range.
    static let wholeForRange = TransferRestart(
        .serverChanged,
        "The server sent the whole file instead of the missing bytes: the file has changed, or the "
            + "server does not support range requests.")

    /// The response has another validator or length than the bytes present.
    static let otherVersion = TransferRestart(
        .serverChanged, "The file has changed on the server.")

    static let noValidator = TransferRestart(
        .notResumable,
        "The server sends no strong ETag and no reliable Last-Modified, so the download cannot be "
            + "resumed.")

    static let compressed = TransferRestart(
        .notResumable,
        "The server sends the file with a Content-Encoding, so the download cannot be resumed.")

    /// The response to a range request has other bytes than the requested range.
    static func unusableRange(_ head: ResponseHead) -> TransferRestart {
        TransferRestart(
            .serverChanged,
            "The server's response with the status \(head.statusCode) does not have the missing "
                + "bytes. Its Content-Range is \(head.contentRangeText).")
    }
}

extension ResponseHead {
    /// `Content-Range` for messages.
    var contentRangeText: String {
        value(for: "Content-Range").map { String($0.prefix(80)).debugDescription } ?? "missing"
    }
}
