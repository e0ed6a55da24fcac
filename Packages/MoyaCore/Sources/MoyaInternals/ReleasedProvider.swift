import Foundation

/// The failure of a request whose provider was released.
public enum ReleasedProvider {
    /// The error: a cancellation, as Moya's documentation says.
    public static var error: URLError {
        let message =
            "The provider was released before the request had a result, which cancelled the "
            + "request. Keep a reference to the provider."
        return URLError(.cancelled, userInfo: [NSLocalizedDescriptionKey: message])
    }
}
