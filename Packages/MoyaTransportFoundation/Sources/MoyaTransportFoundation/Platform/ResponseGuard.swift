#if !canImport(Security)
    import Foundation
    import FoundationNetworking

    /// Sees what a server sends before URLSession does, and fails the exchange where URLSession would end the process.
    ///
    /// It asks libcurl, which carries the exchange, to show each line. The handle for that is no public part of
    /// URLSession and is found by reflection: where it cannot be found, there is no guard and everything else goes on.
    final class ResponseGuard {
        /// Has the handle, which must not go before this.
        private let carrier: URLProtocol
        private let handle: CurlHandle
        private let watch: Watch

        static let isPossible = CurlHandle.functions != nil && HandlePlace.known != nil

        init?(_ carrier: URLProtocol) {
            guard let handle = CurlHandle(of: carrier) else { return nil }
            self.carrier = carrier
            self.handle = handle
            watch = Watch(handle)
            handle.set(.beforeRequestData, to: Unmanaged.passUnretained(watch).toOpaque())
            handle.setBeforeRequest { pointer, _, _, _, _ in
                guard let pointer else { return 0 }
                Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().begin()
                return 0
            }
        }

        func makeValve() -> ReceiveValve { ReceiveValve(handle) }

        /// Returns whether `settings` count for what is about to be carried.
        func apply(_ settings: TLSSettings) -> Bool { settings.apply(to: handle) }

        deinit {
            // The handle may outlive this, and has something to show when its connection goes.
            handle.set(.verbose, to: 0)
            handle.set(.noProgress, to: 1)
            handle.setBeforeRequest(nil)
        }
    }

    extension ResponseGuard {
        /// What has come of a response. Touched where libcurl runs alone.
        private final class Watch {
            private let handle: CurlHandle
            private var head = HeadLines()
            private var isIgnoring = false

            init(_ handle: CurlHandle) {
                self.handle = handle
            }

            /// Asks to be shown what comes. URLSession asks for nothing to be shown when it prepares the handle, so
            /// this is for the last moment before the request is sent.
            func begin() {
                let pointer = Unmanaged.passUnretained(self).toOpaque()
                // A length that is no Int64 when it has been a Double.
                handle.set(.largestBody, to: 1 << 62)
                handle.set(.debugData, to: pointer)
                handle.setDebug { _, kind, bytes, count, pointer in
                    guard let pointer, kind == 1 || kind == 3 else { return 0 }
                    let watch = Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue()
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                    if kind == 1 { watch.seeLine(bytes) } else { watch.seeBody() }
                    return 0
                }
                handle.set(.verbose, to: 1)
                handle.set(.progressData, to: pointer)
                handle.setProgress { pointer, _, _, _, _ in
                    guard let pointer else { return 0 }
                    return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().hasLostHead
                        ? 1 : 0
                }
                handle.set(.noProgress, to: 0)
            }

            /// A line of a head, before URLSession sees it.
            func seeLine(_ line: UnsafeRawBufferPointer) {
                // Trailer fields after no body at all.
                if head.isComplete, !line.starts(with: "HTTP/".utf8) { return ignore() }
                head.append(line)
                if head.hasUnusableLocation { handle.setHeader { _, _, _, _ in 0 } }
            }

            /// The body begins. Trailer fields would be taken for a second head.
            func seeBody() {
                guard head.isComplete, head.status != 407 else { return }
                ignore()
            }

            private func ignore() {
                guard !isIgnoring else { return }
                isIgnoring = true
                handle.setHeader { _, size, count, _ in size &* count }
            }

            /// Whether the connection has ended within a head, which libcurl takes for a response. One in frames cannot
            /// break off, and more of them may have been read than have been looked at.
            var hasLostHead: Bool {
                head.hasBegun && !head.isFramed && !head.isComplete && handle.hasEnded
            }
        }
    }
#endif
