// `URLRequest`, `HTTPURLResponse` and `URLCredential` are part of the public interface. On Linux
// they belong to a separate module, FoundationNetworking.
@_exported import Foundation
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif
