import Foundation
import Moya

/// API of the shop.
public enum ShopAPI: TargetType, Equatable {
    case cart
    case order(items: [Int], key: String)

    public var baseURL: URL { URL(string: "https://shop.example/v1") ?? URL(fileURLWithPath: "/") }

    public var path: String {
        switch self {
        case .cart: "/cart"
        case .order: "/orders"
        }
    }

    public var method: Moya.Method {
        switch self {
        case .cart: .get
        case .order: .post
        }
    }

    public var task: Task {
        switch self {
        case .cart: .requestPlain
        case .order(let items, _): .requestJSONEncodable(["items": items])
        }
    }

    public var headers: [String: String]? {
        switch self {
        case .cart: nil
        case .order(_, let key): ["Idempotency-Key": key]
        }
    }

    public var validationType: ValidationType { .successCodes }
}

/// The user's cart.
public struct Cart: Codable, Equatable, Sendable {
    public var items: [Int]

    public init(items: [Int]) { self.items = items }
}

/// The shop's confirmation of an order.
public struct Receipt: Codable, Equatable, Sendable {
    public var number: Int

    public init(number: Int) { self.number = number }
}

/// Orders the items of the cart exactly once, even if the process is killed while it waits.
///
/// The idempotency key is saved to disk before the order is sent, and removed once the shop has
/// confirmed the order. The shop treats two orders with the same key as one.
public struct Checkout: Sendable {
    private let provider: MoyaProvider<ShopAPI>
    private let keyFile: URL

    public init(provider: MoyaProvider<ShopAPI>, folder: URL) {
        self.provider = provider
        keyFile = folder.appendingPathComponent("order-key")
    }

    /// Orders the items of the cart.
    public func run() async throws -> Receipt {
        let cart = try await provider.request(.cart, as: Cart.self)
        let key = try orderKey()
        let receipt = try await provider.request(
            .order(items: cart.items, key: key), as: Receipt.self)
        try FileManager.default.removeItem(at: keyFile)
        return receipt
    }

    private func orderKey() throws -> String {
        if let saved = try? String(contentsOf: keyFile, encoding: .utf8) { return saved }
        let key = UUID().uuidString
        try Data(key.utf8).write(to: keyFile, options: .atomic)
        return key
    }
}
