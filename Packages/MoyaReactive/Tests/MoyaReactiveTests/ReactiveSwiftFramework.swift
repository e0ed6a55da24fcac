#if ReactiveSwift
    import Foundation
    import MoyaCore
    import MoyaReactiveTestSupport
    import ReactiveMoya
    import ReactiveSwift

    struct ReactiveSwiftFramework: Framework {
        let testDescription = "ReactiveSwift"
        let endsAfterCancel: [String] = ["interrupted"]
        let streamTypes = [
            StreamType("ReactiveSwift SignalProducer") { SignalProducer(value: $0) }
        ]

        func response(to target: Service, from provider: Provider) -> any ResponseStream {
            provider.reactive.request(target)
        }

        func response(
            to target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ResponseStream {
            provider.reactive.request(target, callbackQueue: queue)
        }

        func progress(of target: Service, from provider: Provider) -> any ProgressStream {
            provider.reactive.requestWithProgress(target)
        }

        func progress(
            of target: Service, from provider: Provider, on queue: DispatchQueue
        ) -> any ProgressStream {
            provider.reactive.requestWithProgress(target, callbackQueue: queue)
        }
    }

    extension SignalProducer where Value: Sendable, Error == MoyaError {
        var events: EventStream<Value> {
            EventStream { log in
                start(
                    Signal.Observer(
                        value: log.value, failed: log.failed, completed: log.finished,
                        interrupted: log.interrupted)
                ).dispose
            }
        }
    }

    extension SignalProducer: ProgressStream
    where Value == ProgressResponse, Error == MoyaError {
        var firstEvent: EventStream<ProgressResponse> { take(first: 1).events }
        var fractions: EventStream<Double> { filterProgress().events }
    }

    extension SignalProducer: ResponseStream where Value == Response, Error == MoyaError {
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
        extension SignalProducerProtocol where Value == Response, Error == MoyaError {
            fileprivate func mapImage() -> SignalProducer<Data, MoyaError> { producer.map(\.data) }
        }
    #endif
#endif
