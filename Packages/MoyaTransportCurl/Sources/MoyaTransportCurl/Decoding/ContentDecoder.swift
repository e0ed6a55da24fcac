#if CURL
import Foundation

/// Decodes one content coding (RFC 9110, section 8.4.1) incrementally.
protocol ContentDecoder: AnyObject {
    /// Decodes bytes from the start of `input` into `output`, and removes the used bytes from
    /// `input`.
    ///
    /// - Returns: The number of bytes written. 0 means that `input` is used up and the decoder
    ///   needs more.
    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentDecodingError) -> Int

    /// Whether the encoded data are complete at the end of the input so far.
    var isWhole: Bool { get }
}

/// The reason why encoded data cannot be decoded.
struct ContentDecodingError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// A supported content coding.
enum BodyCoding: CaseIterable {
    case gzip, deflate, brotli, zstandard

    /// The coding of that name, ignoring case. `nil` for an unknown name, or if its library is
    /// missing.
    init?(name: String) {
        let name = name.lowercased()
        guard let coding = Self.allCases.first(where: { $0.names.contains(name) }),
            coding.isAvailable
        else { return nil }
        self = coding
    }

    private var names: [String] {
        switch self {
        // x-gzip is equivalent to gzip (RFC 9110, section 8.4.1.3).
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

    /// The `Accept-Encoding` field, with every available coding.
    static let offer =
        "Accept-Encoding: "
        + allCases.filter(\.isAvailable).compactMap(\.names.first).joined(separator: ", ")

    /// Names that mean no coding. "none" is not registered, but libcurl accepts it too.
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
