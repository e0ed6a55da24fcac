import Foundation

/// The loops of a transport, and which of them takes a request.
struct LoopGroup: Sendable {
    let loops: [CurlLoop]

    /// How many transfers a loop has before the next one gets some. One thread serves these with less effort
    /// than two, and the requests to a host share more connections.
    private static let fillLevel = 64

    /// - Parameter makeLoop: Makes each. Tests have it fail.
    init(
        _ configuration: CurlTransport.Configuration,
        makeLoop: (CurlTransport.Configuration, Int) throws -> CurlLoop = {
            try CurlLoop($0, shareOf: $1)
        }
    ) throws {
        let count = configuration.loopCount
        var loops: [CurlLoop] = []
        do {
            for _ in 0..<count { loops.append(try makeLoop(configuration, count)) }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    /// The first loop, which has the cookies.
    var first: CurlLoop { loops[0] }

    /// The loop for a request: the one whose thread asks, or one that has little to do.
    func pick() -> CurlLoop {
        if loops.count == 1 { return first }
        if let own = loops.first(where: \.isCurrent) { return own }
        var best = (loop: first, load: Int.max)
        for loop in loops {
            let load = loop.load
            if load < Self.fillLevel { return loop }
            if load < best.load { best = (loop, load) }
        }
        return best.loop
    }

    func stop() {
        for loop in loops { loop.stop() }
    }

    func waitUntilClosed() async {
        for loop in loops { await loop.waitUntilClosed() }
    }
}

extension CurlTransport.Configuration {
    /// How many loops there are. Limits on connections and cookies are kept in one place, so they need one
    /// loop.
    var loopCount: Int {
        let isShared =
            maxConnections > 0 || (ownMaxConnectionsPerHost ?? 0) > 0 || cookies != .none
        return isShared ? 1 : min(max(1, threads), 64)
    }
}
