import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transfer {
    /// Sets everything about this transfer on `easy`, a handle without any option set.
    func configure(_ easy: EasyHandle) throws {
        handle = easy.raw
        let urlRequest = request.urlRequest
        // libcurl sends what it is given, line breaks and all.
        try request.validate()
        do {
            try easy.set(CURLOPT_URL, urlRequest.url?.absoluteString ?? "")
            try setBasics(easy)
            try setConnection(easy)
            try setBody(easy, method: urlRequest.httpMethod ?? "GET")
            try setHeaders(easy)
            try setCredential(easy)
            try setResponse(easy)
        } catch let error as EasyHandle.OptionError {
            throw URLError(
                error.code, detail: "libcurl refused option \(error.option.rawValue)",
                verification: 0, url: urlRequest.url)
        }
    }

    private func setBasics(_ easy: EasyHandle) throws {
        try easy.set(CURLOPT_NOSIGNAL, true)
        try easy.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        try easy.check(CURLOPT_PROTOCOLS, moya_easy_allow_only_http(easy.raw))
        // Redirects are followed above, where credentials are looked after.
        try easy.set(CURLOPT_FOLLOWLOCATION, false)
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        try easy.set(CURLOPT_PATH_AS_IS, true)
    }

    private func setConnection(_ easy: EasyHandle) throws {
        let connect = min(max(configuration.connectTimeout, 0.001), 1e6)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(connect * 1000))
        if let exchange = configuration.exchangeTimeout {
            try easy.set(CURLOPT_TIMEOUT_MS, Int(min(max(exchange, 0.001), 1e6) * 1000))
        }
        try easy.set(CURLOPT_MAXAGE_CONN, Int(min(max(configuration.idleTimeout, 0), 1e6)))
        try easy.set(CURLOPT_TCP_KEEPALIVE, true)
        if !configuration.usesEnvironmentProxies { try easy.set(CURLOPT_PROXY, "") }
        let isSecure = request.urlRequest.url?.scheme?.lowercased() == "https"
        try setVersion(easy, isSecure: isSecure)
        if isSecure { try setTLS(easy) }
    }

    private func setVersion(_ easy: EasyHandle, isSecure: Bool) throws {
        let version =
            switch configuration.httpVersion {
            case .automatic: CURL_HTTP_VERSION_2TLS
            case .http1: CURL_HTTP_VERSION_1_1
            case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        // libcurl without HTTP/2 refuses the first of them, and speaks HTTP/1.1 by itself.
        if CurlLibrary.hasHTTP2 || version == CURL_HTTP_VERSION_1_1 {
            try easy.set(CURLOPT_HTTP_VERSION, Int(version))
        }
        // Worth waiting to see whether a connection under way can be shared, where it probably can.
        let probablyShares = isSecure || version == CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        try easy.set(CURLOPT_PIPEWAIT, probablyShares && version != CURL_HTTP_VERSION_1_1)
    }

    private func setTLS(_ easy: EasyHandle) throws {
        let version =
            switch configuration.minimumTLSVersion {
            case .tls12: CURL_SSLVERSION_TLSv1_2
            case .tls13: CURL_SSLVERSION_TLSv1_3
            }
        try easy.set(CURLOPT_SSLVERSION, Int(version))
        switch configuration.trust {
        case .system: break
        case .file(let url):
            try easy.set(CURLOPT_CAINFO, url.path)
            try easy.set(CURLOPT_CAPATH, pointer: nil)
        case .data(let data):
            let code = data.withUnsafeBytes {
                moya_easy_set_ca_data(easy.raw, $0.baseAddress, $0.count)
            }
            try easy.check(CURLOPT_CAINFO_BLOB, code)
            try easy.set(CURLOPT_CAPATH, pointer: nil)
        }
    }

    // MARK: Request

    private func setBody(_ easy: EasyHandle, method: String) throws {
        switch request.body {
        case .none: break
        case .data(let data): source = BodySource(data)
        case .file(let url): source = try BodySource(file: url)
        }
        // A POST, PUT or PATCH without a body still says that it has none (RFC 9110, section 8.6).
        if source == nil, ["POST", "PUT", "PATCH"].contains(method) { source = BodySource(Data()) }

        if method == "HEAD" {
            guard source == nil || source?.count == 0 else {
                throw URLError(
                    .badURL, "A HEAD request cannot have a body.", url: request.urlRequest.url)
            }
            try easy.set(CURLOPT_NOBODY, true)
        } else if let source {
            progress.bytesToSend = source.count
            try easy.set(CURLOPT_POST, true)
            try easy.setOffset(CURLOPT_POSTFIELDSIZE_LARGE, source.count)
            if source.count == 0 {
                try easy.set(CURLOPT_COPYPOSTFIELDS, "")
            } else {
                try setReading(easy)
            }
            try easy.set(CURLOPT_CUSTOMREQUEST, method)
        } else {
            try easy.set(CURLOPT_HTTPGET, true)
            if method != "GET" { try easy.set(CURLOPT_CUSTOMREQUEST, method) }
        }
    }

    private func setReading(_ easy: EasyHandle) throws {
        let me = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_READDATA, pointer: me)
        try easy.set(CURLOPT_READFUNCTION) { buffer, size, count, transfer in
            Transfer.from(transfer)?.read(
                UnsafeMutableRawBufferPointer(start: buffer, count: size * count)) ?? 0
        }
        try easy.set(CURLOPT_SEEKDATA, pointer: me)
        try easy.check(
            CURLOPT_SEEKFUNCTION,
            moya_easy_set_seek_callback(easy.raw) { transfer, offset, origin in
                let isDone =
                    origin == SEEK_SET && Transfer.from(transfer)?.seek(Int64(offset)) == true
                return isDone ? Int32(CURL_SEEKFUNC_OK) : Int32(CURL_SEEKFUNC_FAIL)
            })
    }

    private func setHeaders(_ easy: EasyHandle) throws {
        var names: Set<String> = []
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            let lower = name.lowercased()
            // libcurl counts the bytes itself. Another number would cut the message in two.
            if lower == "content-length" { continue }
            names.insert(lower)
            try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // Headers that libcurl would add by itself.
        if source != nil, !names.contains("content-type") { try append("Content-Type:") }
        if !names.contains("expect") { try append("Expect:") }
        if !names.contains("user-agent") {
            try easy.set(CURLOPT_USERAGENT, configuration.userAgent)
        }
        // With a field of their own, callers want the bytes as they come.
        if !names.contains("accept-encoding") { try easy.set(CURLOPT_ACCEPT_ENCODING, "") }
        try easy.set(CURLOPT_HTTPHEADER, pointer: headers)
    }

    private func append(_ line: String) throws {
        guard let list = curl_slist_append(headers, line) else {
            throw CurlError(CURLE_OUT_OF_MEMORY)
        }
        headers = list
    }

    private func setCredential(_ easy: EasyHandle) throws {
        guard let credential = request.credential, let user = credential.user,
            request.urlRequest.value(forHTTPHeaderField: "Authorization") == nil
        else { return }
        try easy.set(CURLOPT_USERNAME, user)
        try easy.set(CURLOPT_PASSWORD, credential.password ?? "")
        // Given a choice, libcurl waits to be asked before it sends them.
        try easy.set(CURLOPT_HTTPAUTH, moya_auth_basic_or_digest())
    }

    // MARK: Response

    private func setResponse(_ easy: EasyHandle) throws {
        switch request.destination {
        case .memory(let limit): sink = MemorySink(limit: max(0, limit))
        case .file(let url):
            sink = try FileSink(url)
            // Fewer and larger writes. In memory, small buffers keep many requests cheap.
            try easy.set(CURLOPT_BUFFERSIZE, 256 << 10)
        }
        let me = Unmanaged.passUnretained(self).toOpaque()
        try easy.set(CURLOPT_HEADERDATA, pointer: me)
        try easy.set(CURLOPT_HEADERFUNCTION) { buffer, size, count, transfer in
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return Transfer.from(transfer)?.receiveHeader(bytes) == true ? bytes.count : 0
        }
        try easy.set(CURLOPT_WRITEDATA, pointer: me)
        try easy.set(CURLOPT_WRITEFUNCTION) { buffer, size, count, transfer in
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return Transfer.from(transfer)?.receive(bytes) == true ? bytes.count : 0
        }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
