#if canImport(Combine) || OpenCombine
    import CombineMoya
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport

    #if canImport(Combine)
        import Combine
    #else
        import OpenCombine
    #endif

    struct CombineFramework: Framework {
        let testDescription = "Combine"
        let endsAfterCancel: [String] = []
        let streamTypes = [
            StreamType("Combine AnyPublisher") {
                Just($0).setFailureType(to: MoyaError.self).eraseToAnyPublisher()
            }
        ]

        func response(to target: Service, from provider: Provider) -> any ResponseStream {
            provider.requestPublisher(target)
        }

        func response(
            to target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ResponseStream {
            provider.requestPublisher(target, callbackQueue: queue)
        }

        func progress(of target: Service, from provider: Provider) -> any ProgressStream {
            provider.requestWithProgressPublisher(target)
        }

        func progress(
            of target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ProgressStream {
            provider.requestWithProgressPublisher(target, callbackQueue: queue)
        }
    }

    extension Publisher where Output: Sendable, Failure == MoyaError {
        var events: EventStream<Output> {
            EventStream { log in
                sink(
                    receiveCompletion: { end in
                        switch end {
                        case .finished: log.finished()
                        case .failure(let error): log.failed(error)
                        }
                    }, receiveValue: log.value
                ).cancel
            }
        }
    }

    extension AnyPublisher: ProgressStream
    where Output == ProgressResponse, Failure == MoyaError {
        var firstEvent: EventStream<ProgressResponse> { first().events }
        var fractions: EventStream<Double> { filterProgress().events }
    }

    extension AnyPublisher: ResponseStream where Output == Response, Failure == MoyaError {
        func json<Parsed: Sendable>(_ read: @escaping (Any) -> Parsed) -> EventStream<Parsed> {
            mapJSON().map(read).events
        }
        func json<Parsed: Sendable>(
            failsOnEmptyData: Bool, _ read: @escaping (Any) -> Parsed
        ) -> EventStream<Parsed> {
            mapJSON(failsOnEmptyData: failsOnEmptyData).map(read).events
        }
        func string() -> EventStream<String> { mapString().events }
        func string(atKeyPath keyPath: String) -> EventStream<String> {
            mapString(atKeyPath: keyPath).events
        }
        func object<Object: DecodableValue>(_ type: Object.Type) -> EventStream<Object> {
            map(type).events
        }
        func decode<Object: DecodableValue>(
            _ type: Object.Type, atKeyPath keyPath: String?, using decoder: JSONDecoder,
            failsOnEmptyData: Bool
        ) -> EventStream<Object> {
            map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData).events
        }
        #if !canImport(UIKit) && !canImport(AppKit)
            func image() -> EventStream<Data> { mapImage().events }
        #endif
    }

    #if !canImport(UIKit) && !canImport(AppKit)
        extension Publisher where Output == Response, Failure == MoyaError {
            fileprivate func mapImage() -> Publishers.Map<Self, Data> { map(\.data) }
        }
    #endif
#endif
