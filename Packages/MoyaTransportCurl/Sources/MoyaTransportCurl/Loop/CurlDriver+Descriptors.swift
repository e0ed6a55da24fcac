import CMoyaCurl
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// What is done where the process may open no more, or soon: transfers wait, and try again when another one has ended or
// found room, and every `retryInterval`.
extension CurlDriver {
    private static let retryInterval: UInt64 = 250_000_000
    /// How long a transfer leaves descriptors to the rest of the process. Nanoseconds.
    private static let patience: UInt64 = 5_000_000_000
    /// How many transfers may always take what is reserved: so few are not what uses it up.
    private static let fewTransfers = 2
    /// What asking for a name takes, as far as is known: libcurl's pair of sockets, and what the C library opens.
    private static let descriptorsForName = 4

    /// Below the limit by what others in the process need for a moment. libdispatch on Linux looks after its threads
    /// in files under /proc, and ends the process where it cannot open one.
    static func makeDescriptorCeiling() -> Int32 {
        CurlLibrary.descriptorLimit.map { Int32($0 - min(32, $0 / 8)) } ?? .max
    }

    // MARK: Before there are none

    /// Whether `transfer` may keep the socket that it was given, or has to leave it to the rest of the process. A new
    /// descriptor has the lowest number that is free, which tells how many there are.
    func mayKeep(_ socket: Int32, for transfer: Transfer) -> Bool {
        noteName(of: transfer)
        transfer.hasSocket = true
        guard isAboveCeiling(socket) else {
            // There may be room for another.
            retryPostponed()
            return true
        }
        // What has been sent cannot wait.
        return mayTakeReserve(transfer, among: active.count)
            || transfer.handle?.easy.long(CURLINFO_REQUEST_SIZE) != 0
    }

    /// Whether `transfer` has to wait with the files that it is going to open.
    func mustLeaveDescriptors(_ transfer: Transfer) -> Bool {
        guard descriptorCeiling != .max else { return false }
        let count = transfer.fileCount
        return count > 0 && !mayTakeReserve(transfer, among: active.count + 1)
            && !hasRoom(for: count)
    }

    /// Whether `transfer` may ask for a name now. Each takes descriptors until it is known, and some of them later.
    func mayAskForName(_ transfer: Transfer) -> Bool {
        // Other names are asked for over a connection, or for it.
        if transfer.isAskingForName || transfer.hasSocket || descriptorCeiling == .max {
            return true
        }
        guard
            mayTakeReserve(transfer, among: active.count)
                || nameCount < max(1, Int(descriptorCeiling) / 8)
                    && hasRoom(for: Self.descriptorsForName + 2 * nameCount)
        else { return false }
        transfer.isAskingForName = true
        nameCount += 1
        return true
    }

    /// The name that `transfer` has asked for is known, or not asked for any more.
    func noteName(of transfer: Transfer) {
        guard transfer.isAskingForName else { return }
        transfer.isAskingForName = false
        nameCount -= 1
    }

    private func mayTakeReserve(_ transfer: Transfer, among count: Int) -> Bool {
        transfer.isLastTry || transfer.isImpatient || count <= Self.fewTransfers
    }

    private func isAboveCeiling(_ descriptor: Int32) -> Bool {
        guard descriptor >= descriptorCeiling else { return false }
        // The limit may have been raised since.
        descriptorCeiling = Self.makeDescriptorCeiling()
        return descriptor >= descriptorCeiling
    }

    /// Whether there are `count` descriptors that are not reserved. A gap below the ceiling may be the last, so that the
    /// next would be above.
    private func hasRoom(for count: Int) -> Bool {
        var probes: [Int32] = []
        defer { for probe in probes { close(probe) } }
        for _ in 0..<count {
            guard let probe = Self.probe() else { return false }
            // Where that cannot be opened for another reason, nobody knows.
            if probe < 0 { return true }
            probes.append(probe)
            if isAboveCeiling(probe) { return false }
        }
        return true
    }

    /// Opens something. `nil` where there is no descriptor for it, and a negative number where it cannot be opened.
    private static func probe() -> Int32? {
        let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return probe < 0 && (errno == EMFILE || errno == ENFILE) ? nil : probe
    }

    // MARK: After there were none

    /// Whether a transfer has failed only because the process has every descriptor it may have, or all but the reserved
    /// ones, and there may be another.
    func isForWantOfDescriptors(
        _ code: CURLcode, _ transfer: Transfer, _ handle: CurlHandle
    ) -> Bool {
        guard code != CURLE_OK, mayWait(transfer, besides: active.count - 1),
            transfer.failure == nil, !transfer.isCancelled,
            handle.easy.long(CURLINFO_REQUEST_SIZE) == 0
        else { return false }
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR, CURLE_ABORTED_BY_CALLBACK:
            return transfer.lacksDescriptor
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            if transfer.lacksDescriptor { return true }
            // The resolver does not say why it failed.
            guard transfer.isImpatient else { return !hasRoom(for: Self.descriptorsForName) }
            guard let probe = Self.probe() else { return true }
            close(probe)
            return false
        default: return false
        }
    }

    /// The same, where a file of the transfer's could not be opened.
    func isForWantOfDescriptors(_ error: any Error, _ transfer: Transfer) -> Bool {
        guard mayWait(transfer, besides: active.count), let error = error as? URLError,
            let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        else { return false }
        return cause.code == .EMFILE || cause.code == .ENFILE
    }

    private func mayWait(_ transfer: Transfer, besides others: Int) -> Bool {
        others > 0 || !transfer.isLastTry
    }

    /// Has `transfer` begin again later.
    func postpone(_ transfer: Transfer) {
        if transfer.waitingSince == 0 { transfer.waitingSince = now }
        if transfer.postponedSince == 0 { transfer.postponedSince = now }
        transfer.isImpatient = false
        postponed.append(transfer)
        if active.isEmpty {
            // Nobody here is going to give any back, but for the idle connections.
            transfer.isLastTry = true
            mustCloseIdle = true
        } else if retryDue <= now {
            retryDue = now + Self.retryInterval
            mustCloseIdle = !hasRoom(for: Self.descriptorsForName)
        }
        nextCheck = min(nextCheck, retryDue, transfer.waitingDue(self))
    }

    /// Lets the first of those that wait try again.
    func retryPostponed() {
        if !postponed.isEmpty { ready.append(postponed.removeFirst()) }
    }

    /// The same, when it is time for that.
    func checkPostponed() {
        guard let first = postponed.first else { return }
        if retryDue <= now {
            retryDue = now + Self.retryInterval
            if hasRoom(for: Self.descriptorsForName) {
                retryPostponed()
            } else {
                // Those before it may never end.
                first.isImpatient =
                    now &- first.postponedSince > Self.patience
                    && active.count { $0.transfer?.isImpatient == true } < Self.fewTransfers
                mustCloseIdle = true
            }
        }
        nextCheck = min(nextCheck, retryDue)
    }
}
