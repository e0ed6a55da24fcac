// Errors that async-http-client declares where it can import Network:
// Sources/AsyncHTTPClient/NIOTransportServices/NWErrorHandler.swift of
// swift-server/async-http-client
import AsyncHTTPClient
import Foundation

extension HTTPClient {
    @available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 6.0, *)
    public struct NWPOSIXError: Error, CustomStringConvertible {
        public let errorCode: POSIXErrorCode
        public var description: String { "" }
    }

    @available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 6.0, *)
    public struct NWTLSError: Error, CustomStringConvertible {
        public let status: Int32
        public var description: String { "" }
    }
}
