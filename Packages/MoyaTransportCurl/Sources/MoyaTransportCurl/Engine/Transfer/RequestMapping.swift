#if CURL
import CMoyaCurl
import MoyaCore

/// Maps a transfer's request to options of the attempt's easy handle, and opens the bodies of
/// request and response.
struct RequestMapping {
    private let attempt: Attempt
    private let transfer: Transfer
    private let handle: CurlHandle
    private let request: TransportRequest
    private let url: URL?
    private let method: String
    private let isSecure: Bool

    private var configuration: CurlTransport.Configuration { handle.context.configuration }

    /// - Throws: `RequestError` if the request is invalid, and `URLError` if its URL is.
    init(_ attempt: Attempt) throws {
        self.attempt = attempt
        (transfer, handle) = (attempt.transfer, attempt.handle)
        (request, url) = (transfer.request, transfer.url)
        method = request.urlRequest.httpMethod ?? "GET"
        isSecure = url?.scheme?.lowercased() == "https"
        // libcurl does not reject line breaks in header fields.
        try request.validate()
        guard method != "CONNECT" else {
            throw URLError(
                .unsupportedURL,
                "CONNECT requests cannot be sent: the transport opens tunnels through proxies "
                    + "itself. Set the configuration's proxy.", url: url)
        }
        // RFC 1035, section 2.3.4. libcurl before 8.4.0 writes a longer one past the end of its
        // buffer for SOCKS5 proxies. A server's redirect may have one.
        guard (url?.host?.utf8.count ?? 0) <= 255 else {
            throw URLError(.cannotFindHost, "The host's name is longer than 255 bytes.", url: url)
        }
        if !isSecure, configuration.httpVersion == .http3Only {
            throw URLError(.unsupportedURL, "HTTP/3 requires TLS. Use an https URL.", url: url)
        }
    }

    /// Configures the handle.
    ///
    /// - Throws: `URLError` if a body cannot be opened or libcurl refuses an option.
    func apply() throws {
        if isSecure, let manager = configuration.tls.serverTrustManager {
            attempt.trust = try ServerTrustCheck(manager, for: url)
        }
        try openBody()
        if let stream = transfer.stream {
            attempt.body.sink = .stream(stream.channel)
        } else {
            attempt.body.sink = try BodySink(request.destination)
        }
        do throws(CurlError) {
            var profile = HandleProfile(method: method, isSecure: isSecure, body: bodyKind)
            if case .file = attempt.body.sink { profile.isForFile = true }
            if isSecure, handle.context.judgesHosts {
                profile.trust.pins = configuration.tls.pins(for: url?.host ?? "")
                profile.trust.isVerified = configuration.tls.verifies(url?.host ?? "")
            }
            profile.trust.validation = attempt.trust?.validation
            if case .stream(let stream) = request.body {
                profile.hasTrailers = stream.trailers != nil
            }
            let cookie = try setHeaders(&profile)
            let address = url?.absoluteString ?? ""
            profile.hasLongHead =
                handle.requestHeaders.byteCount + address.utf8.count + (cookie?.utf8.count ?? 0)
                > LongHead.bytes
            profile.proxyScheme = handle.context.proxyScheme
            // libcurl answers Negotiate. MoyaCore answers Basic and Digest.
            profile.negotiates =
                !profile.hasAuthorization && configuration.authentication.contains(.negotiate)
                && request.credential?.user != nil
            profile.previewsHead =
                HandleReuse.needsPreview && !profile.negotiates
                && !attempt.reader.request.asksForUpgrade && !handle.context.mayAnswerProxy
            attempt.reader.request.isHead = method == "HEAD"
            attempt.reader.request.expectsContinue = profile.expectsContinue
            attempt.reader.request.negotiates = profile.negotiates
            if !handle.serves(profile) {
                try handle.prepare(for: profile)
                if profile.negotiates, let credential = request.credential {
                    try setCredential(credential)
                }
            }
            if let cookie { try handle.easy.set(CURLOPT_COOKIE, cookie) }
            try handle.easy.set(CURLOPT_URL, address)
            try setFreshness()
            try handle.easy.set(CURLOPT_HTTPHEADER, pointer: handle.requestHeaders.list())
            if let source = attempt.upload.source {
                try handle.easy.setOffset(CURLOPT_POSTFIELDSIZE_LARGE, source.count ?? -1)
            }
        } catch {
            handle.isSpent = true
            throw URLError(CURLcode(rawValue: UInt32(error.code)), detail: error.message, url: url)
        }
        handle.attempt = attempt
    }

    /// A new connection avoids waiting for the evaluation of the existing one.
    private func setFreshness() throws(CurlError) {
        let repeats = transfer.repeats
        guard
            repeats.unevaluatedCount > 0 || repeats.metUnusableConnection
                || attempt.trust != nil && handle.hasSeparateConnection
        else { return }
        // The next request may use a connection that exists.
        handle.isSpent = true
        try handle.easy.set(CURLOPT_FRESH_CONNECT, true)
    }

    private func openBody() throws(URLError) {
        switch request.body {
        case .none: break
        case .data(let data): attempt.upload.source = BodySource(data)
        case .file(let url): attempt.upload.source = try BodySource(file: url)
        case .stream where transfer.unreadSource != nil:
            swap(&attempt.upload.source, &transfer.unreadSource)
        case .stream(let stream):
            let version = configuration.httpVersion
            guard stream.trailers == nil || version == .http1 || version == .automatic && !isSecure
            else {
                throw URLError(
                    .unsupportedURL,
                    "libcurl sends trailer fields over HTTP/1.1 only. Use httpVersion .http1.",
                    url: url)
            }
            if let length = stream.length, length < 0 {
                let text = "The length of the body's stream is \(length), but must be 0 or more."
                throw URLError(.requestBodyStreamExhausted, text, url: url)
            }
            attempt.upload.source = transfer.makeSource(stream)
        }
        // A POST, PUT or PATCH without a body announces a length of 0 (RFC 9110, section 8.6).
        if attempt.upload.source == nil, ["POST", "PUT", "PATCH"].contains(method) {
            attempt.upload.source = BodySource(Data())
        }
        guard let source = attempt.upload.source else { return }
        if method == "HEAD", source.count != 0 {
            throw URLError(.badURL, "A HEAD request cannot have a body.", url: url)
        }
        attempt.progress.bytesToSend = source.count
        // A short body is sent at once or not at all, so its progress is not tracked.
        if source.count ?? .max > 16 << 10 { attempt.sending = SendProgress() }
    }

    private var bodyKind: HandleProfile.Body {
        guard let source = attempt.upload.source else { return .none }
        guard let count = source.count else { return .chunks }
        return count == 0 ? .empty : count < 256 << 10 ? .bytes : .manyBytes
    }

    /// Sets the request's header fields. Returns the value of its `Cookie` field if the transport
    /// stores cookies: libcurl sends both in one field (RFC 6265, section 5.4).
    private func setHeaders(_ profile: inout HandleProfile) throws(CurlError) -> String? {
        var cookie: String?
        var keepsCookies = handle.context.cookies != nil
        if keepsCookies, !request.urlRequest.httpShouldHandleCookies {
            (keepsCookies, profile.cookies) = (false, .refused)
        }
        var (hasContentType, hasExpect, hasRange) = (false, false, false)
        attempt.body.decodesContent = true
        handle.requestHeaders.removeAll()
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            switch KnownHeader(name) {
            // libcurl writes these fields itself. Another length, or a chunked coding that is not
            // used, would break the framing.
            case .contentLength, .transferEncoding: continue
            case .cookie where keepsCookies:
                profile.hasCookie = true
                cookie = value
                continue
            case .host: if keepsCookies { profile.cookies = .ownHost }
            case .contentType: hasContentType = true
            case .expect:
                hasExpect = true
                profile.expectsContinue = value.lowercased().contains("100-continue")
            case .userAgent: profile.hasUserAgent = true
            case .acceptEncoding: attempt.body.decodesContent = false
            case .authorization: profile.hasAuthorization = true
            case .range: hasRange = true
            case .upgrade: attempt.reader.request.asksForUpgrade = true
            case .cookie, nil: break
            }
            // libcurl omits a field with a blank value, together with its own default. A semicolon
            // instead of the colon sends it empty.
            let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            handle.requestHeaders.append(name, isBlank ? ";" : ": ", isBlank ? "" : value)
        }
        if attempt.body.decodesContent {
            // A part of a compressed body cannot be decompressed.
            attempt.body.decodesContent = !hasRange
            let offer = hasRange ? "Accept-Encoding: identity" : BodyCoding.offer
            handle.requestHeaders.append(offer)
        }
        // An empty value stops libcurl from adding these fields.
        if attempt.upload.source != nil {
            if !hasContentType { handle.requestHeaders.append("Content-Type:") }
            if !hasExpect { handle.requestHeaders.append("Expect:") }
        }
        // Over HTTP/1.1 a body of unknown length needs this field. libcurl omits it over HTTP/2.
        if profile.body == .chunks { handle.requestHeaders.append("Transfer-Encoding: chunked") }
        guard handle.requestHeaders.isWhole else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        handle.isSpent =
            profile.cookies == .ownHost || profile.hasTrailers && RepeatedTrailers.areBroken
        return cookie
    }

    private func setCredential(_ credential: URLCredential) throws(CurlError) {
        let easy = handle.easy
        try easy.set(CURLOPT_USERNAME, credential.user ?? "")
        try easy.set(CURLOPT_PASSWORD, credential.password ?? "")
        try easy.set(CURLOPT_HTTPAUTH, moya_auth_when_asked(moya_auth_mask(0, 0, 1)))
        // Negotiate authenticates a connection: later requests without a credential would be sent
        // as this user.
        try easy.set(CURLOPT_FORBID_REUSE, true)
    }
}

/// Header fields that affect a handle's options.
private enum KnownHeader {
    case contentLength, contentType, expect, userAgent, acceptEncoding, authorization
    case host, cookie, transferEncoding, range, upgrade

    init?(_ name: String) {
        let known: KnownHeader
        // In lowercase.
        let knownName: StaticString
        let startsWithC = name.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "c")
        switch name.utf8.count {
        case 4: (known, knownName) = (.host, "host")
        case 5: (known, knownName) = (.range, "range")
        case 6 where startsWithC: (known, knownName) = (.cookie, "cookie")
        case 6: (known, knownName) = (.expect, "expect")
        case 7: (known, knownName) = (.upgrade, "upgrade")
        case 10: (known, knownName) = (.userAgent, "user-agent")
        case 12: (known, knownName) = (.contentType, "content-type")
        case 13: (known, knownName) = (.authorization, "authorization")
        case 14: (known, knownName) = (.contentLength, "content-length")
        case 15: (known, knownName) = (.acceptEncoding, "accept-encoding")
        case 17: (known, knownName) = (.transferEncoding, "transfer-encoding")
        default: return nil
        }
        var letter = knownName.utf8Start
        for byte in name.utf8 {
            // Makes letters lowercase. The names consist of letters and hyphens only.
            if byte | 0x20 != letter.pointee { return nil }
            letter += 1
        }
        self = known
    }
}
#endif
