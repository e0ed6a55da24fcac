// `URLRequest`, `HTTPURLResponse` and `URLCredential` are in this module's
// public surface. On Linux they live in a module of their own, so it comes along.
@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
