import Foundation
import MoyaCore
import MoyaTransportCurl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Many small requests over one transport to a server in another process. Each response must belong
/// to its request, and memory must not grow.
enum Requests {
    private static let width = 16
    /// Accepted growth for each request, in bytes: less than the smallest possible leak.
    private static let growthPerRequest = 16

    static func run(_ options: Options) async throws {
        let nginx = try await Nginx()
        defer { nginx.stop() }
        let transport = CurlTransport()
        let workload = Workload(options, unit: "requests")
        let window = max(2_000, options.count / 20)
        var growths: [Int] = []
        var before: Int?
        while !workload.isOver {
            await workload.round(of: window, atOnce: width) { number in
                await request(number, transport, nginx, workload)
            }
            // The last window may be short: its growth would say little about each request.
            guard !workload.isOver, let now = anonymousKiB else { continue }
            if let before { growths.append(now - before) }
            before = now
        }
        // A leak grows in every window. Caches and pools grow only in the first ones. So the window
        // with the smallest growth decides.
        if growths.count < 3 {
            workload.note(
                "memory not judged: "
                    + (anonymousKiB == nil ? "unknown on this system" : "too short"))
        } else if let least = growths.min(), least > window * growthPerRequest / 1024 {
            workload.find(
                "the memory grew by \(growths) KiB in windows of \(window) requests")
        }
        transport.shutdown()
        nginx.stop()
        workload.finish()
    }

    private static func request(
        _ number: Int, _ transport: CurlTransport, _ nginx: Nginx, _ workload: Workload
    ) async {
        var random = workload.options.generator(forCase: number)
        let path = "/\(number)/\(String(random.next(), radix: 36))"
        guard let url = URL(string: "http://127.0.0.1:\(nginx.port)\(path)") else { return }
        do {
            let response = try await transport.send(TransportRequest(URLRequest(url: url)))
            guard case .data(let data) = response.body, data == Data(path.utf8) else {
                workload.find("\(path) was answered with \(response.body)", case: number)
                return
            }
        } catch {
            workload.find("\(path): \(error)", case: number)
        }
    }

    /// Anonymous memory of this process, in KiB. `nil` on systems other than Linux.
    private static var anonymousKiB: Int? {
        let text = try? String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("Anonymous:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
}
