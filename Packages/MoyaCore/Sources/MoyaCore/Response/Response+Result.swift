import Foundation

/// Converts the outcome of a request to the result that a ``Completion`` takes, for code that sends
/// requests without a provider.
///
/// An error takes precedence over a response, which ``MoyaError/underlying(_:_:)`` then includes.
/// Without an error and a response, the result is `NSURLErrorUnknown` (-1).
public func convertResponseToResult(
    _ response: HTTPURLResponse?, request: URLRequest?, data: Data?, error: (any Error)?
) -> Result<Response, MoyaError> {
    let converted = response.map { response in
        Response(
            statusCode: response.statusCode, data: data ?? Data(), request: request,
            response: response)
    }
    switch (converted, error) {
    case (let converted, let error?): return .failure(.underlying(error, converted))
    case (let converted?, nil): return .success(converted)
    case (nil, nil): return .failure(.underlying(URLError(.unknown), nil))
    }
}
