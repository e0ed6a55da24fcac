import Moya

public func asSingle() -> String { "\(MoyaProvider().request()) over RxMoya" }
