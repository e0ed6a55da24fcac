import Moya
import RxMoya

public func oldRequest() -> String {
    "\(Moya.MoyaProvider().request()), \(RxMoya.asSingle())"
}
