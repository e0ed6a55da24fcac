// Completion handlers, progress and cancellation, as in Moya.
import Foundation
import Moya

func download<Target: TargetType>(_ target: Target, with provider: MoyaProvider<Target>)
    -> any Cancellable
{
    provider.request(
        target, callbackQueue: .global(),
        progress: { progress in print(progress.progress) },
        completion: { result in
            switch result {
            case .success(let response): print(response.fileURL?.path ?? "no file")
            case .failure(let error): print(error.localizedDescription)
            }
        })
}
