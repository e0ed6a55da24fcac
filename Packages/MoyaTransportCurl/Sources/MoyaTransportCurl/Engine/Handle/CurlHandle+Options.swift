#if CURL
import CMoyaCurl
import Foundation

extension CurlHandle {
    /// Sets every option that `profile` requires, on a handle without options. Options that keep
    /// libcurl's default are not set. That includes `CURLOPT_FOLLOWLOCATION`, which is off:
    /// MoyaCore follows redirects, because it decides which credentials they carry.
    func setOptions(for profile: HandleProfile) throws(CurlError) {
        try setBasics(profile)
        try setConnection(profile)
        let network = NetworkOptions(easy: easy, context: context)
        try network.setNetwork()
        try network.setProxy(profile)
        if profile.isSecure {
            try network.setTLS(profile)
        } else if configuration.network.dnsOverHTTPS != nil {
            // libcurl applies the transfer's trusted certificates to its DNS-over-HTTPS lookups.
            try network.setTrust(configuration.tls.trust)
        } else {
            // libcurl before 8.5 copies their names for each request. Not all TLS libraries have
            // them.
            try? easy.set(CURLOPT_CAINFO, pointer: nil)
            try? easy.set(CURLOPT_CAPATH, pointer: nil)
        }
        try setMethod(profile)
        try setBeginning()
        try setCallbacks(profile)
        if mayBeRefused(profile) { listen() }
    }

    private func setBasics(_ profile: HandleProfile) throws(CurlError) {
        try easy.set(CURLOPT_PRIVATE, pointer: me)
        try easy.set(CURLOPT_NOSIGNAL, true)
        try easy.check(CURLOPT_NOSIGNAL, moya_easy_leave_resolver(easy.raw))
        try easy.set(CURLOPT_ERRORBUFFER, pointer: errorText)
        try easy.check(moya_protocols_option(), moya_easy_allow_only_http(easy.raw))
        try easy.set(CURLOPT_PATH_AS_IS, true)
        if profile.previewsHead { try easy.set(CURLOPT_HEADER, true) }
        if let cookies = context.cookies, profile.cookies == .shared {
            try cookies.attach(to: easy)
        }
    }

    private func setConnection(_ profile: HandleProfile) throws(CurlError) {
        // 0 would mean libcurl's default of five minutes.
        let connectTimeout = configuration.connectTimeout
        try easy.set(
            CURLOPT_CONNECTTIMEOUT_MS,
            connectTimeout > 0 ? max(1, Self.milliseconds(connectTimeout)) : Int(Int32.max))
        if configuration.maxIdleConnections <= 0 { try easy.set(CURLOPT_FORBID_REUSE, true) }
        try easy.set(CURLOPT_MAXAGE_CONN, Self.seconds(configuration.idleTimeout))
        if let keepAlive = configuration.keepAlive {
            try easy.set(CURLOPT_TCP_KEEPALIVE, true)
            try easy.set(CURLOPT_TCP_KEEPIDLE, Self.probeSeconds(keepAlive.idle))
            try easy.set(CURLOPT_TCP_KEEPINTVL, Self.probeSeconds(keepAlive.interval))
        }
        if let speed = configuration.minimumSpeed {
            try easy.set(CURLOPT_LOW_SPEED_LIMIT, max(0, speed.bytesPerSecond))
            try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, Self.seconds(speed.duration)))
        }
        try setVersion(profile)
        let open: curl_opensocket_callback = { user, _, address in
            guard let address = address?.pointee else { return CURL_SOCKET_BAD }
            return CurlHandle.from(user)?.openSocket(address) ?? CURL_SOCKET_BAD
        }
        try easy.set(
            CURLOPT_OPENSOCKETFUNCTION, callback: open, data: CURLOPT_OPENSOCKETDATA, user: me)
        let lookUp: curl_resolver_start_callback = { _, _, user in
            CurlHandle.from(user)?.attempt?.mayLookUpName() == false ? 1 : 0
        }
        try easy.set(
            CURLOPT_RESOLVER_START_FUNCTION, callback: lookUp, data: CURLOPT_RESOLVER_START_DATA,
            user: me)
        let close: curl_closesocket_callback = { context, socket in
            HandleContext.from(context)?.close(socket) ?? -1
        }
        try easy.set(
            CURLOPT_CLOSESOCKETFUNCTION, callback: close, data: CURLOPT_CLOSESOCKETDATA,
            user: context.me)
    }

    /// Suspends the minimum speed while the request's body stream has no bytes, and restores it.
    /// libcurl does so itself only while the server does not read.
    func suspendMinimumSpeed(_ suspends: Bool) {
        guard suspends != suspendsMinimumSpeed, let speed = configuration.minimumSpeed else {
            return
        }
        // The transfer may end before the minimum is restored.
        (suspendsMinimumSpeed, isSpent) = (suspends, true)
        // If this fails, the idle time counts.
        try? easy.set(CURLOPT_LOW_SPEED_LIMIT, suspends ? 0 : max(0, speed.bytesPerSecond))
    }

    /// Opens a socket that child processes do not inherit.
    private func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        attempt?.noteNewConnection()
        let socket = moya_open_socket(address.family, address.socktype, address.protocol)
        guard socket >= 0 else {
            if errno == EMFILE || errno == ENFILE { attempt?.noteLackOfDescriptors() }
            return CURL_SOCKET_BAD
        }
        if attempt?.keepOpened(socket) == false {
            close(socket)
            return CURL_SOCKET_BAD
        }
        context.open(socket, for: self)
        openedSockets.append(socket)
        return socket
    }

    private func setVersion(_ profile: HandleProfile) throws(CurlError) {
        let version =
            switch configuration.httpVersion {
            case .automatic where profile.hasLongHead: Int(CURL_HTTP_VERSION_1_1)
            // Such a libcurl may lose the response that comes before the body.
            case .automatic where profile.expectsContinue && ResetAnswers.areLost:
                Int(CURL_HTTP_VERSION_1_1)
            case .automatic: Int(CURL_HTTP_VERSION_2TLS)
            case .http1: Int(CURL_HTTP_VERSION_1_1)
            case .http2PriorKnowledge: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
            case .http3: Int(profile.isSecure ? CURL_HTTP_VERSION_3 : CURL_HTTP_VERSION_1_1)
            case .http3Only: moya_http_version_3_only()
            }
        // libcurl without HTTP/2 refuses this value, and uses HTTP/1.1 by default.
        if CurlLibrary.hasHTTP2 || version != Int(CURL_HTTP_VERSION_2TLS) {
            try easy.set(CURLOPT_HTTP_VERSION, version)
        }
        guard
            PriorKnowledge.sharesConnections(
                configuration.httpVersion, isSecure: profile.isSecure)
        else {
            try easy.set(CURLOPT_FORBID_REUSE, true)
            return try easy.set(CURLOPT_FRESH_CONNECT, true)
        }
        // Waits for a connection that is being opened, if it can probably be shared.
        let probablyShares = profile.isSecure || version == Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        if probablyShares, version != Int(CURL_HTTP_VERSION_1_1) {
            try easy.set(CURLOPT_PIPEWAIT, true)
        }
    }

    private func setMethod(_ profile: HandleProfile) throws(CurlError) {
        if profile.method == "HEAD" {
            try easy.set(CURLOPT_NOBODY, true)
            // libcurl 8.17 and later refuse differing lengths, although HEAD responses have no
            // body.
            try easy.set(CURLOPT_IGNORE_CONTENT_LENGTH, true)
        } else if profile.body != .none {
            try easy.set(CURLOPT_POST, true)
            // Also for an empty body, whose request may have an Expect field.
            let expectTimeout = Self.milliseconds(configuration.expectContinueTimeout)
            try easy.set(CURLOPT_EXPECT_100_TIMEOUT_MS, expectTimeout)
            if profile.body == .empty {
                try easy.set(CURLOPT_COPYPOSTFIELDS, "")
            } else {
                try setReading(profile)
            }
            try easy.set(CURLOPT_CUSTOMREQUEST, profile.method)
        } else if profile.method != "GET" {
            try easy.set(CURLOPT_CUSTOMREQUEST, profile.method)
        }
        if !profile.hasUserAgent { try easy.set(CURLOPT_USERAGENT, configuration.userAgent) }
    }

    /// Sets a callback before libcurl writes a request, in which the attempt notes the time,
    /// evaluates the server, and ends a request that must not be sent on this connection.
    private func setBeginning() throws(CurlError) {
        let begin: curl_prereq_callback = { user, remoteHost, localHost, remotePort, localPort in
            guard let handle = CurlHandle.from(user), let attempt = handle.attempt else { return 1 }
            // Most requests of newer versions do not need them.
            let isNeeded =
                attempt.trust != nil || UnsolicitedData.isAccepted || attempt.isObserved
            let endpoints =
                isNeeded
                ? ConnectionEndpoints(
                    local: .init(localHost, localPort), remote: .init(remoteHost, remotePort)) : nil
            guard attempt.beginRequest(on: endpoints) else { return 1 }
            guard attempt.trust != nil, let endpoints else { return 0 }
            return handle.context.watchdog.outside { attempt.isTrusted(endpoints) } ? 0 : 1
        }
        try easy.set(CURLOPT_PREREQFUNCTION, callback: begin, data: CURLOPT_PREREQDATA, user: me)
    }

    private func setReading(_ profile: HandleProfile) throws(CurlError) {
        let read: curl_read_callback = { buffer, size, count, user in
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return CurlHandle.withAttempt(user) { $0.read(room) } ?? moya_read_abort()
        }
        try easy.set(CURLOPT_READFUNCTION, callback: read, data: CURLOPT_READDATA, user: me)
        if profile.hasTrailers {
            let makeTrailers: curl_trailer_callback = { list, user in
                let isMade = CurlHandle.withAttempt(user) { attempt in
                    list.map { attempt.makeTrailers(&$0.pointee) }
                }
                return Int32(isMade == true ? CURL_TRAILERFUNC_OK : CURL_TRAILERFUNC_ABORT)
            }
            try easy.set(
                CURLOPT_TRAILERFUNCTION, callback: makeTrailers, data: CURLOPT_TRAILERDATA, user: me
            )
        }
        let seek: curl_seek_callback = { user, offset, origin in
            let isDone = CurlHandle.withAttempt(user) {
                origin == SEEK_SET && $0.seek(Int64(offset))
            }
            return Int32(isDone == true ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
        }
        try easy.set(CURLOPT_SEEKFUNCTION, callback: seek, data: CURLOPT_SEEKDATA, user: me)
    }

    private func setCallbacks(_ profile: HandleProfile) throws(CurlError) {
        // Larger pieces for files. For bodies in memory, the small default keeps many requests
        // cheap.
        if profile.isForFile {
            try easy.set(CURLOPT_BUFFERSIZE, 256 << 10)
        } else if PausedStreams.areLost, mayUseHTTP2(profile) {
            try easy.set(CURLOPT_BUFFERSIZE, PausedStreams.bufferBytes)
        }
        if profile.hasLongHead {
            try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, LongHead.bufferBytes)
        } else if profile.body == .manyBytes {
            try easy.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
        }
        let header: curl_write_callback = { buffer, size, count, user in
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
            let isTaken = CurlHandle.withAttempt(user) { $0.receiveHeader(bytes) }
            return isTaken == true ? bytes.count : 0
        }
        try easy.set(CURLOPT_HEADERFUNCTION, callback: header, data: CURLOPT_HEADERDATA, user: me)
        let write: curl_write_callback = { buffer, size, count, user in
            let bytes = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return CurlHandle.withAttempt(user) { $0.receive(bytes) } ?? 0
        }
        try easy.set(CURLOPT_WRITEFUNCTION, callback: write, data: CURLOPT_WRITEDATA, user: me)
    }

    /// Whether an HTTP/2 server may refuse a request that must not be sent twice.
    private func mayBeRefused(_ profile: HandleProfile) -> Bool {
        !profile.isIdempotent && mayUseHTTP2(profile)
    }

    private func mayUseHTTP2(_ profile: HandleProfile) -> Bool {
        let version = configuration.httpVersion
        return version == .http2PriorKnowledge || profile.isSecure && version != .http1
    }

    /// Passes libcurl's messages to the attempt, and the body of the response before libcurl
    /// removes its chunked coding.
    func listen() {
        let note: curl_debug_callback = { _, kind, buffer, count, user in
            guard kind == CURLINFO_DATA_IN || kind == CURLINFO_TEXT else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
            _ = CurlHandle.withAttempt(user) {
                kind == CURLINFO_TEXT ? $0.noteMessage(bytes) : $0.receiveFramed(bytes)
            }
            return 0
        }
        do throws(CurlError) {
            try easy.set(CURLOPT_DEBUGFUNCTION, callback: note, data: CURLOPT_DEBUGDATA, user: me)
            try easy.set(CURLOPT_VERBOSE, true)
        } catch {
            // Without the callback, CURLOPT_VERBOSE would write to standard error.
        }
    }

    /// Linux accepts no more than 32,767, and libcurl does not report that it refused a value.
    private static func probeSeconds(_ time: TimeInterval) -> Int {
        min(max(1, seconds(time)), 32_767)
    }
    static func milliseconds(_ time: TimeInterval) -> Int { Int(min(max(time, 0), 1e6) * 1000) }
    static func seconds(_ time: TimeInterval) -> Int { Int(min(max(time, 0), 1e6).rounded(.up)) }
}
#endif
