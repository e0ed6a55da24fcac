#if CURL
import CMoyaCurl
import Foundation

/// An object that libcurl's callbacks get as a pointer. Outlives libcurl's use of it.
protocol CallbackUser: AnyObject {}

extension CallbackUser {
    var me: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> Self? {
        pointer.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A `CURL *`. Setting an option throws if libcurl refuses it.
struct EasyHandle {
    let raw: UnsafeMutableRawPointer
    /// Outlives the handle. Not counted as a reference, because it is used for every option.
    private let options: Unmanaged<OptionCheck>

    init(raw: UnsafeMutableRawPointer, options: OptionCheck) {
        self.raw = raw
        self.options = .passUnretained(options)
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try check(option, moya_easy_set_long(raw, option, value))
    }

    func set(_ option: CURLoption, _ value: Bool) throws(CurlError) {
        try set(option, value ? 1 : 0)
    }

    func setOffset(_ option: CURLoption, _ value: Int64) throws(CurlError) {
        try check(option, moya_easy_set_offset(raw, option, curl_off_t(value)))
    }

    /// libcurl copies the text.
    func set(_ option: CURLoption, _ value: String) throws(CurlError) {
        try check(option, value.withCString { moya_easy_set_pointer(raw, option, $0) })
    }

    /// libcurl copies the bytes.
    func set(_ option: CURLoption, _ value: Data) throws(CurlError) {
        let code = value.withUnsafeBytes {
            moya_easy_set_blob(raw, option, $0.baseAddress, $0.count)
        }
        try check(option, code)
    }

    func set(_ option: CURLoption, pointer: UnsafeRawPointer?) throws(CurlError) {
        try check(option, moya_easy_set_pointer(raw, option, pointer))
    }

    /// Sets a callback of the C type that `option` requires, and the pointer that it receives.
    func set<Callback>(
        _ option: CURLoption, callback: Callback, data: CURLoption, user: UnsafeRawPointer?
    ) throws(CurlError) {
        try set(data, pointer: user)
        try set(option, pointer: unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    func check(_ option: CURLoption, _ code: CURLcode) throws(CurlError) {
        let result = options._withUnsafeGuaranteedRef { options in
            Result { () throws(CurlError) in try options.check(option, code) }
        }
        try result.get()
    }

    /// Returns `value` if libcurl does not know.
    private func get<Value: BitwiseCopyable>(_ info: CURLINFO, or value: Value) -> Value {
        var result = value
        let code = withUnsafeMutablePointer(to: &result) { moya_easy_get(raw, info, $0) }
        return code == CURLE_OK ? result : value
    }

    func long(_ info: CURLINFO) -> Int { get(info, or: 0) }
    func offset(_ info: CURLINFO) -> Int64 { get(info, or: 0) }
    func pointer(_ info: CURLINFO) -> UnsafeMutableRawPointer? { get(info, or: nil) }

    func string(_ info: CURLINFO) -> String? {
        get(info, or: UnsafePointer<CChar>?.none).map { String(cString: $0) }
    }

    /// Whether the body has at least the length that `Content-Length` announced. `nil` if the
    /// response announced none.
    var hasWholeLength: Bool? {
        let length = offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        return length < 0 ? nil : offset(CURLINFO_SIZE_DOWNLOAD_T) >= length
    }

    /// The socket of the connection that stays open after the transfer. `nil` if it was closed.
    var keptSocket: curl_socket_t? {
        let socket = get(CURLINFO_ACTIVESOCKET, or: CURL_SOCKET_BAD)
        return socket == CURL_SOCKET_BAD ? nil : socket
    }
}

/// Turns libcurl's result of setting an option into an error.
class OptionCheck: @unchecked Sendable {
    // Safe to share: it has no state.

    init() {}

    func check(_ option: CURLoption, _ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else {
            throw CurlError(code, detail: "libcurl refused option \(option.rawValue)")
        }
    }

    func check(_ option: CURLMoption, _ code: CURLMcode) throws(CurlError) {
        guard code == CURLM_OK else { throw CurlError(code) }
    }
}

/// The header fields of a request as a `curl_slist`, in memory that is reused.
///
/// `curl_slist_append` allocates twice for each field.
struct HeaderList {
    private var text = RawBytes()
    private var starts: [Int] = []
    private var nodes: UnsafeMutablePointer<curl_slist>?
    private var nodeCapacity = 0
    /// Length of the lines, in bytes.
    var byteCount: Int { text.count }
    /// Whether there was memory for every line.
    private(set) var isWhole = true

    mutating func removeAll() {
        text.removeAll()
        starts.removeAll(keepingCapacity: true)
        isWhole = true
    }

    /// Appends a line made of these parts.
    mutating func append(_ name: String, _ separator: StaticString = "", _ value: String = "") {
        starts.append(text.count)
        let middle = UnsafeRawBufferPointer(
            start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        isWhole =
            isWhole && text.append(name) && text.append(middle) && text.append(value)
            && text.append("\0")
    }

    /// The list, valid until the next change. `nil` if empty.
    mutating func list() -> UnsafeMutablePointer<curl_slist>? {
        guard !starts.isEmpty, let base = text.base else { return nil }
        if starts.count > nodeCapacity {
            nodes?.deallocate()
            nodeCapacity = max(starts.count, 4)
            nodes = .allocate(capacity: nodeCapacity)
        }
        guard let nodes else { return nil }
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? nodes + index + 1 : nil
            let line = (base + start).assumingMemoryBound(to: CChar.self)
            (nodes + index).initialize(to: curl_slist(data: line, next: next))
        }
        return nodes
    }

    mutating func deallocate() {
        text.deallocate()
        nodes?.deallocate()
        nodes = nil
        nodeCapacity = 0
    }
}
#endif
