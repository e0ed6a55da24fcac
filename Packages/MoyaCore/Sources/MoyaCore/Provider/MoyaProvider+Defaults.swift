import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension MoyaProvider {
    /// The endpoint that says what `target` says, with status 200 and the target's sample data
    /// as its sample response.
    public final class func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL.text(of: target),
            sampleResponseClosure: { .networkResponse(200, target.sampleData) },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers,
            timeoutInterval: target.timeoutInterval,
            cachePolicy: target.cachePolicy
        )
    }

    /// Makes the endpoint's request at once.
    public final class func defaultRequestMapping(
        for endpoint: Endpoint, closure: RequestResultClosure
    ) {
        do throws(MoyaError) {
            closure(.success(try endpoint.urlRequest()))
        } catch {
            closure(.failure(error))
        }
    }

    /// Sends every request.
    @Sendable
    public final class func neverStub(_: Target) -> StubBehavior { .never }

    /// Stubs every request, at once.
    @Sendable
    public final class func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Stubs every request, after `seconds`: see ``StubBehavior/delayed(seconds:)``.
    public final class func delayedStub(_ seconds: TimeInterval) -> StubClosure {
        { _ in .delayed(seconds: seconds) }
    }
}
