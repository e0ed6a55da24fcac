#if CURL
import Foundation

/// Undoes one content coding (RFC 9110, section 8.4.1), piece by piece.
protocol ContentDecoder: AnyObject {
    /// Decodes bytes from the start of `input` into `output`, and drops from `input` the bytes it has used.
    ///
    /// - Returns: The number of bytes written. 0 means that all of `input` is used and that the decoder needs more.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int

    /// Whether the encoded data ended where the input ended.
    var isWhole: Bool { get }
}

/// Why encoded data cannot be decoded.
struct ContentDecodingError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A content coding that responses are decoded from.
enum BodyCoding: CaseIterable {
    case gzip, deflate, brotli, zstandard

    /// The coding of that name, whatever its case. `nil` for other names, and where its library is missing.
    init?(name: String) {
        let name = name.lowercased()
        guard let coding = Self.allCases.first(where: { $0.names.contains(name) }),
            coding.isAvailable
        else { return nil }
        self = coding
    }

    private var names: [String] {
        switch self {
        // A recipient takes the first as the second (RFC 9110, section 8.4.1.3).
        case .gzip: ["gzip", "x-gzip"]
        case .deflate: ["deflate"]
        case .brotli: ["br"]
        case .zstandard: ["zstd"]
        }
    }

    private var isAvailable: Bool {
        switch self {
        case .gzip, .deflate: true
        case .brotli: BrotliLibrary.installed != nil
        case .zstandard: ZstandardLibrary.installed != nil
        }
    }

    /// The request's header field that offers each coding.
    static let offer =
        "Accept-Encoding: "
        + allCases.filter(\.isAvailable).compactMap(\.names.first).joined(separator: ", ")

    /// Names of codings that leave the data as it is. The second one is no registered name, but libcurl takes it too.
    static let identities: Set = ["identity", "none"]

    func makeDecoder() throws(ContentDecodingError) -> any ContentDecoder {
        switch self {
        case .gzip: return try Inflater(.gzip)
        case .deflate: return try Inflater(.deflate)
        case .brotli:
            if let library = BrotliLibrary.installed { return try BrotliDecoder(library) }
        case .zstandard:
            if let library = ZstandardLibrary.installed { return try ZstandardDecoder(library) }
        }
        throw ContentDecodingError("its library is missing")
    }
}

extension UnsafeRawBufferPointer {
    mutating func drop(_ count: Int) {
        self = UnsafeRawBufferPointer(rebasing: dropFirst(count))
    }
}
#endif
