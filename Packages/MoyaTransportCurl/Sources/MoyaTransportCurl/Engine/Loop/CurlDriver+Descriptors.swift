#if CURL
import CMoyaCurl
import Foundation
import MoyaCore

// Handling of scarce file descriptors: see ``DescriptorBudget``.
extension CurlDriver {
    /// Whether an attempt may keep a new socket. Ends its lookup.
    func mayKeep(_ socket: Int32, for attempt: Attempt) -> Bool {
        attempt.noteConnecting(now)
        descriptors.endLookup(&attempt.connecting)
        attempt.connecting.step = .opening
        guard hasDescriptor(socket, for: attempt) else { return false }
        forgottenAddresses.noteOpened(socket, by: attempt)
        return true
    }

    private func hasDescriptor(_ socket: Int32, for attempt: Attempt) -> Bool {
        guard descriptors.isReserved(socket) else {
            // Another transfer may find a descriptor.
            retryFirstWaiter()
            return true
        }
        // A request whose bytes have been sent cannot be started over.
        let claim = attempt.transfer.descriptorClaim
        return descriptors.mayTakeReserve(claim, among: handles.active.count)
            || attempt.hasSentRequest
    }

    /// Whether an attempt may start a name lookup now.
    func mayLookUpName(for attempt: Attempt) -> Bool {
        attempt.noteConnecting(now)
        return descriptors.beginLookup(
            &attempt.connecting, attempt.transfer.descriptorClaim, among: handles.active.count)
    }

    /// Whether an attempt failed with `code` for want of descriptors, and may succeed later.
    func isForWantOfDescriptors(_ code: CURLcode, _ attempt: Attempt) -> Bool {
        let claim = attempt.transfer.descriptorClaim
        guard code != CURLE_OK, handles.active.count > 1 || !claim.isLastTry,
            attempt.failure == nil, !attempt.hasSentRequest
        else { return false }
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_QUIC_CONNECT_ERROR, CURLE_ABORTED_BY_CALLBACK:
            return attempt.connecting.lacksDescriptor
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return attempt.connecting.lacksDescriptor || descriptors.mayHaveFailedLookup(claim)
        default: return false
        }
    }

    /// Whether a transfer failed to open a file for want of descriptors, and may succeed later.
    func isForWantOfDescriptors(_ error: any Error, _ transfer: Transfer) -> Bool {
        guard !handles.active.isEmpty || !transfer.descriptorClaim.isLastTry,
            let error = error as? URLError,
            let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        else { return false }
        return cause.code == .EMFILE || cause.code == .ENFILE
    }

    /// Queues a transfer until a descriptor may be free for it.
    func waitForDescriptor(_ transfer: Transfer) {
        let wait = descriptors.wait(
            transfer, &transfer.descriptorClaim, isAlone: handles.active.isEmpty, now: now)
        guard transfer.state.wait(for: wait.ticket, since: now) else {
            return descriptors.remove(wait.ticket)
        }
        if wait.closesIdle { idleConnections.mustClose = true }
        setTimer(of: transfer, noLaterThan: transfer.waitingDue(context.limits))
    }

    /// Lets the first transfer that waits for a descriptor retry.
    func retryFirstWaiter() {
        while let transfer = descriptors.popFirst() {
            if makeReady(transfer) { return }
        }
    }

    /// Lets a transfer that waits for a descriptor retry, or closes idle connections for it.
    func checkWaiters() {
        switch descriptors.check(now: now) {
        case .nothing: break
        case .retry: retryFirstWaiter()
        case .closeIdle(let first):
            let impatientCount = handles.attempts.count { $0.transfer.descriptorClaim.isImpatient }
            first.descriptorClaim.isImpatient = DescriptorBudget<Transfer>.isImpatient(
                since: first.state.descriptorWaitSince ?? now, now: now,
                impatientCount: impatientCount)
            idleConnections.mustClose = true
        }
    }
}
#endif
