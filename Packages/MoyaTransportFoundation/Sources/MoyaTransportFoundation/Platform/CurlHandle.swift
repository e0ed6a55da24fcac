#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// The handle of libcurl's that carries one exchange of URLSession's. To be used where libcurl runs alone.
    struct CurlHandle: @unchecked Sendable {
        // Safe to send: it is an address, and says where it may be used.
        /// Options of `curl_easy_setopt`, by libcurl's numbers, which never change.
        enum Option: CInt {
            case tlsVersion = 32
            case verbose = 41
            case noProgress = 43
            case progressData = 10_057
            case debugData = 10_095
            case authorityFolder = 10_097
            case header = 20_079
            case debug = 20_094
            case progress = 20_219
            case largestBody = 30_117
            case beforeRequest = 20_312
            case beforeRequestData = 10_313
            case authorities = 40_309
        }

        typealias Header =
            @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int
        typealias Debug =
            @convention(c) (
                UnsafeMutableRawPointer?, CInt, UnsafeMutablePointer<CChar>?, Int,
                UnsafeMutableRawPointer?
            ) -> CInt
        typealias BeforeRequest =
            @convention(c) (
                UnsafeMutableRawPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CInt, CInt
            ) -> CInt
        typealias Progress =
            @convention(c) (UnsafeMutableRawPointer?, Int64, Int64, Int64, Int64) -> CInt

        /// What FoundationNetworking has of libcurl, without variable arguments.
        struct Functions: @unchecked Sendable {
            // Safe to share: they are addresses of functions.
            typealias Raw = UnsafeMutableRawPointer
            let setLong: @convention(c) (Raw, CInt, Int) -> CInt
            let setInt64: @convention(c) (Raw, CInt, Int64) -> CInt
            let setPointer: @convention(c) (Raw, CInt, Raw?) -> CInt
            let setHeader: @convention(c) (Raw, CInt, Header?) -> CInt
            let setDebug: @convention(c) (Raw, CInt, Debug?) -> CInt
            let setProgress: @convention(c) (Raw, CInt, Progress?) -> CInt
            let get: @convention(c) (Raw, CInt, Raw) -> CInt
            let pause: @convention(c) (Raw, CInt, CInt) -> CInt
            let make: (@convention(c) () -> Raw?)?
            let free: (@convention(c) (Raw) -> Void)?
            /// OpenSSL's `SSL_get_shutdown`.
            let shutdown: (@convention(c) (Raw) -> CInt)?
        }

        static let functions: Functions? = {
            let library = dlopen(nil, RTLD_NOW)
            func find<T>(_ name: String, _ type: T.Type) -> T? {
                dlsym(library, name).map { unsafeBitCast($0, to: type) }
            }
            func set<T>(_ name: String, _ type: T.Type) -> T? {
                find("CFURLSession_easy_setopt_\(name)", type)
            }
            typealias Raw = Functions.Raw
            guard let long = set("long", (@convention(c) (Raw, CInt, Int) -> CInt).self),
                let int64 = set("int64", (@convention(c) (Raw, CInt, Int64) -> CInt).self),
                let pointer = set("ptr", (@convention(c) (Raw, CInt, Raw?) -> CInt).self),
                let header = set("wc", (@convention(c) (Raw, CInt, Header?) -> CInt).self),
                let debug = set("dc", (@convention(c) (Raw, CInt, Debug?) -> CInt).self),
                let progress = set("tc", (@convention(c) (Raw, CInt, Progress?) -> CInt).self),
                let get = find(
                    "CFURLSession_easy_getinfo_charp",
                    (@convention(c) (Raw, CInt, Raw) -> CInt).self),
                let pause = find(
                    "CFURLSessionEasyHandleSetPauseState",
                    (@convention(c) (Raw, CInt, CInt) -> CInt).self),
                // As old as `beforeRequest`.
                dlsym(library, "curl_url_strerror") != nil
            else { return nil }
            return Functions(
                setLong: long, setInt64: int64, setPointer: pointer, setHeader: header,
                setDebug: debug, setProgress: progress, get: get, pause: pause,
                make: find(
                    "CFURLSessionEasyHandleInit", (@convention(c) () -> Raw?).self),
                free: find(
                    "CFURLSessionEasyHandleDeinit", (@convention(c) (Raw) -> Void).self),
                shutdown: find("SSL_get_shutdown", (@convention(c) (Raw) -> CInt).self))
        }()

        private let raw: UnsafeMutableRawPointer
        private let functions: Functions

        /// The handle of `carrier`, which is URLSession's own protocol for http. `nil` where that has none by the name
        /// known here.
        init?(of carrier: URLProtocol) {
            guard let functions = Self.functions, let place = HandlePlace.known,
                let raw = place.handle(of: carrier)
            else { return nil }
            self.raw = raw
            self.functions = functions
        }

        /// What `body` says of a handle that carries nothing. `nil` where there is none to be had.
        static func trying<Result>(_ body: (CurlHandle) -> Result) -> Result? {
            guard let functions, let make = functions.make, let free = functions.free,
                let raw = make()
            else { return nil }
            defer { free(raw) }
            return body(CurlHandle(raw: raw, functions: functions))
        }

        private init(raw: UnsafeMutableRawPointer, functions: Functions) {
            self.raw = raw
            self.functions = functions
        }

        /// Returns whether libcurl has taken it.
        @discardableResult
        func set(_ option: Option, to value: Int) -> Bool {
            let code =
                option == .largestBody
                ? functions.setInt64(raw, option.rawValue, Int64(value))
                : functions.setLong(raw, option.rawValue, value)
            return code == 0
        }

        /// Returns whether libcurl has taken it.
        @discardableResult
        func set(_ option: Option, to pointer: UnsafeMutableRawPointer?) -> Bool {
            functions.setPointer(raw, option.rawValue, pointer) == 0
        }

        func setHeader(_ function: Header) {
            _ = functions.setHeader(raw, Option.header.rawValue, function)
        }

        func setDebug(_ function: Debug) {
            _ = functions.setDebug(raw, Option.debug.rawValue, function)
        }

        /// From libcurl 7.80 on.
        func setBeforeRequest(_ function: BeforeRequest?) {
            _ = functions.setPointer(
                raw, Option.beforeRequest.rawValue,
                function.map { unsafeBitCast($0, to: UnsafeMutableRawPointer.self) })
        }

        func setProgress(_ function: Progress) {
            _ = functions.setProgress(raw, Option.progress.rawValue, function)
        }

        /// Stops or goes on with what comes from the server. Sending goes on in either case: URLSession stops that only
        /// where a body has nothing to give, and none that is sent from here is ever without.
        func pauseReceiving(_ isPaused: Bool) {
            _ = functions.pause(raw, 0, isPaused ? 1 : 0)
        }

        /// Whether the server has ended the connection.
        var hasEnded: Bool {
            var socket: CInt = -1
            guard functions.get(raw, 0x50_002C, &socket) == 0, socket >= 0 else { return true }
            var byte: UInt8 = 0
            if recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) == 0 {
                return true
            }
            // TLS has an end of its own, which may come before the connection's.
            var session: UnsafeMutablePointer<(backend: CInt, internals: UnsafeMutableRawPointer?)>?
            guard let shutdown = functions.shutdown,
                functions.get(raw, 0x40_002D, &session) == 0,
                let session, session.pointee.backend == 1, let tls = session.pointee.internals
            else { return false }
            return shutdown(tls) & 2 != 0
        }
    }
#endif
