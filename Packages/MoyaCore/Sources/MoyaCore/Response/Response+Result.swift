import Foundation

/// What came of an exchange, as the result a ``Completion`` takes: for code that talks to a server in a way of its own.
///
/// An error goes before a response, which is then in ``MoyaError/underlying(_:_:)``. Neither is
/// `NSURLErrorUnknown` (-1).
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
