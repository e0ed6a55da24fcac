#if ServiceLifecycle
    import MoyaKit

    /// Exchange rates of a currency, such as `["USD": 1.1]`.
    struct Rates: Codable, Sendable, Equatable {
        var rates: [String: Double]
    }

    /// The current exchange rates of a currency.
    struct LatestRates: ResponseTarget {
        typealias Response = Rates

        let baseURL: URL
        let currency: String
        var path: String { "/latest/\(segment: currency)" }
    }
#endif
