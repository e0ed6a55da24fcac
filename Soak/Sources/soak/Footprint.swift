import Foundation
import MoyaTransportConformance

/// Finds descriptors, threads and memory that grow from round to round. The first rounds set the bounds.
struct FootprintCheck {
    private static let warmUp = 2
    /// In KiB. What is left of freed memory between blocks that are in use.
    private static let memoryMargin = 96 << 10
    private static let margin = 16
    /// glibc's `malloc_trim`, which its module does not show.
    private static let trim = dlsym(dlopen(nil, RTLD_NOW), "malloc_trim").map {
        unsafeBitCast($0, to: (@convention(c) (Int) -> Int32).self)
    }
    private var rounds = 0
    private var bound = (descriptors: 0, threads: 0, memory: 0)

    /// Looks at this process after a round, when nothing is under way any more.
    mutating func look(_ workload: Workload) async {
        rounds += 1
        // What the allocator keeps of freed memory depends on how many threads there were.
        _ = Self.trim?(0)
        guard rounds > Self.warmUp else {
            let now = TransportConformance.Footprint.current()
            bound.descriptors = max(bound.descriptors, now.descriptors + Self.margin)
            bound.threads = max(bound.threads, now.threads + Self.margin)
            bound.memory = max(bound.memory, now.residentKiB + Self.memoryMargin)
            return
        }
        var now = TransportConformance.Footprint.current()
        // Connections and threads end a moment after what used them.
        for _ in 0..<300 where !fits(now) {
            try? await Task.sleep(for: .milliseconds(100))
            now = .current()
        }
        guard !fits(now) else { return }
        workload.find(
            "after round \(rounds): \(now.descriptors) descriptors, \(now.threads) threads and \(now.residentKiB) KiB, where "
                + "\(bound.descriptors), \(bound.threads) and \(bound.memory) are the bounds")
    }

    /// Says so where there was no round to compare with the first ones.
    func finish(_ workload: Workload) {
        guard rounds <= Self.warmUp else { return }
        workload.note("descriptors, threads and memory not judged: too short")
    }

    private func fits(_ now: TransportConformance.Footprint) -> Bool {
        now.descriptors <= bound.descriptors && now.threads <= bound.threads
            && now.residentKiB <= bound.memory
    }
}
