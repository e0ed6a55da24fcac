import CCurl
import Foundation
@_spi(MoyaInternals) import MoyaCore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Transfer {
    /// Makes `handle` carry this transfer.
    func configure(_ handle: CurlHandle) throws {
        // libcurl sends what it is given, line breaks and all.
        try request.validate()
        let urlRequest = request.urlRequest
        let method = urlRequest.httpMethod ?? "GET"
        guard method != "CONNECT" else {
            throw URLError(
                .unsupportedURL,
                "CONNECT makes tunnels through proxies, which the transport does by itself.",
                url: url)
        }
        evaluator = try findEvaluator(handle.configuration.tls)
        try openBody(method, handle.configuration)
        sink = try channel.map(BodySink.stream) ?? BodySink(request.destination)
        do throws(EasyHandle.OptionError) {
            var profile = HandleProfile(
                method: method, isSecure: url?.scheme?.lowercased() == "https", body: bodyKind,
                isForFile: false, hasUserAgent: false, hasAcceptEncoding: false,
                hasCredential: false)
            if case .file = sink { profile.isForFile = true }
            if profile.isSecure { profile.judge(url?.host ?? "", by: handle.configuration.tls) }
            profile.validation = evaluator?.validation
            if case .stream(let stream) = request.body {
                profile.hasTrailers = stream.trailers != nil
            }
            try setHeaders(handle, &profile)
            let credential = profile.hasAuthorization ? nil : request.credential
            profile.hasCredential = credential?.user != nil
            if handle.profile?.serves(profile) != true {
                handle.reset()
                try handle.setOptions(for: profile)
                try setCredential(handle, credential)
                handle.profile = profile
            }
            try handle.easy.set(CURLOPT_URL, url?.absoluteString ?? "")
            // Rather another connection than to wait for a verdict on the one there is.
            if evaluator != nil { try handle.easy.set(CURLOPT_FRESH_CONNECT, unjudgedCount > 0) }
            try handle.easy.set(CURLOPT_HTTPHEADER, pointer: handle.requestHeaders.list())
            if let source {
                try handle.easy.setOffset(CURLOPT_POSTFIELDSIZE_LARGE, source.count ?? -1)
            }
        } catch {
            handle.profile = nil
            throw URLError(
                error.code, detail: "libcurl refused option \(error.option.rawValue)",
                verification: 0, url: url)
        }
        self.handle = handle
        handle.transfer = self
    }

    private func findEvaluator(
        _ tls: CurlTransport.Configuration.TLS
    ) throws(URLError) -> (any ServerTrustEvaluating)? {
        guard let manager = tls.serverTrustManager, let url, url.scheme?.lowercased() == "https"
        else { return nil }
        do throws(ServerTrustError) {
            return try manager.serverTrustEvaluator(forHost: url.host ?? "")
        } catch {
            throw URLError(
                .serverCertificateUntrusted, error.description, url: url, cause: error)
        }
    }

    private func speaksHTTP1(_ configuration: CurlTransport.Configuration) -> Bool {
        switch configuration.httpVersion {
        case .http1: true
        case .automatic: url?.scheme?.lowercased() == "http"
        case .http2PriorKnowledge, .http3: false
        }
    }

    private func openBody(
        _ method: String, _ configuration: CurlTransport.Configuration
    ) throws(URLError) {
        switch request.body {
        case .none: break
        case .data(let data): source = BodySource(data)
        case .file(let url): source = try BodySource(file: url)
        case .stream(let stream):
            guard stream.trailers == nil || speaksHTTP1(configuration) else {
                throw URLError(
                    .unsupportedURL,
                    "libcurl sends fields after a body over HTTP/1.1 alone. Use httpVersion .http1.",
                    url: url)
            }
            source = makeSource(stream)
        }
        // A POST, PUT or PATCH without a body still says that it has none (RFC 9110, section 8.6).
        if source == nil, ["POST", "PUT", "PATCH"].contains(method) { source = BodySource(Data()) }
        if method == "HEAD", let source, source.count != 0 {
            throw URLError(.badURL, "A HEAD request cannot have a body.", url: url)
        }
        progress.bytesToSend = source?.count
    }

    private var bodyKind: HandleProfile.Body {
        guard let source else { return .none }
        guard let count = source.count else { return .chunks }
        return count == 0 ? .empty : count < 256 << 10 ? .bytes : .manyBytes
    }

    func makeSource(_ stream: RequestBodyStream) -> BodySource {
        BodySource(stream) { [self, loop] in loop.proceed(self, with: .sending) }
    }

    private func setHeaders(
        _ handle: CurlHandle, _ profile: inout HandleProfile
    ) throws(EasyHandle.OptionError) {
        var isWhole = true
        var (hasContentType, hasExpect) = (false, false)
        handle.requestHeaders.removeAll()
        for (name, value) in request.urlRequest.allHTTPHeaderFields ?? [:] {
            switch KnownHeader(name) {
            // libcurl counts the bytes itself. Another number would cut the message in two.
            case .contentLength: continue
            case .contentType: hasContentType = true
            case .expect: hasExpect = true
            case .userAgent: profile.hasUserAgent = true
            case .acceptEncoding: profile.hasAcceptEncoding = true
            case .authorization: profile.hasAuthorization = true
            case nil: break
            }
            isWhole =
                handle.requestHeaders.append(name, value.isEmpty ? ";" : ": ", value) && isWhole
        }
        // Headers that libcurl would add by itself.
        if source != nil, !hasContentType {
            isWhole = handle.requestHeaders.append("Content-Type:") && isWhole
        }
        if source != nil, !hasExpect {
            isWhole = handle.requestHeaders.append("Expect:") && isWhole
        }
        // Without a length HTTP/1.1 sends chunks, if it is told to. libcurl leaves the field out of HTTP/2.
        if profile.body == .chunks {
            isWhole = handle.requestHeaders.append("Transfer-Encoding: chunked") && isWhole
        }
        guard isWhole else {
            throw EasyHandle.OptionError(option: CURLOPT_HTTPHEADER, code: CURLE_OUT_OF_MEMORY)
        }
    }

    private func setCredential(
        _ handle: CurlHandle, _ credential: URLCredential?
    ) throws(EasyHandle.OptionError) {
        guard let credential, let user = credential.user else { return }
        let easy = handle.easy
        try easy.set(CURLOPT_USERNAME, user)
        try easy.set(CURLOPT_PASSWORD, credential.password ?? "")
        // Given a choice, libcurl waits to be asked before it sends them.
        let kinds = handle.configuration.authentication
        try easy.set(
            CURLOPT_HTTPAUTH,
            moya_auth_mask(
                kinds.contains(.basic) ? 1 : 0, kinds.contains(.digest) ? 1 : 0,
                kinds.contains(.negotiate) ? 1 : 0))
    }
}

/// Header fields that have a say in a handle's options.
private enum KnownHeader {
    case contentLength, contentType, expect, userAgent, acceptEncoding, authorization

    init?(_ name: String) {
        let known: KnownHeader? =
            switch name.utf8.count {
            case 6: .expect
            case 10: .userAgent
            case 12: .contentType
            case 13: .authorization
            case 14: .contentLength
            case 15: .acceptEncoding
            default: nil
            }
        guard let known, known.isNamed(name) else { return nil }
        self = known
    }

    private func isNamed(_ name: String) -> Bool {
        let own: StaticString =
            switch self {
            case .contentLength: "content-length"
            case .contentType: "content-type"
            case .expect: "expect"
            case .userAgent: "user-agent"
            case .acceptEncoding: "accept-encoding"
            case .authorization: "authorization"
            }
        var index = 0
        for byte in name.utf8 {
            // Sets the bit that upper case lacks. The names are letters and hyphens alone.
            if byte | 0x20 != own.utf8Start[index] | 0x20 { return false }
            index += 1
        }
        return true
    }
}
