extension SharedRequests {
    /// One request's wait for the shared result.
    public struct Wait: Sendable {
        fileprivate let requests: SharedRequests
        fileprivate let member: Membership
        fileprivate let promise: Promise<Value>

        /// Returns the result. If the waiting task is cancelled, returns `cancelled` at once while
        /// other requests wait; the last wait cancels the exchange and returns its result.
        public func value(ifCancelled cancelled: Value) async -> Value {
            await promise.value {
                if !requests.cancel(member) { promise.fulfill(cancelled) }
            }
        }

        /// Ends the wait. Call it after ``value(ifCancelled:)``: the exchange stays in the table
        /// until each of its waits has ended.
        @Sendable public func leave() { requests.leave(member) }
    }

    /// Waits for the result of an equal request in flight. `nil` if there is no such request.
    public func join(_ key: Key) -> Wait? {
        let promise = Promise<Value>()
        return join(key, receiver: { promise.fulfill($0) }).map {
            Wait(requests: self, member: $0, promise: promise)
        }
    }

    /// Sends a request that equal requests can join, in a task of its own, which is cancelled when
    /// the last wait for it is. `nil` if an equal request has been sent in the meantime, and has no
    /// result yet.
    public func start(_ key: Key, _ send: @escaping @Sendable () async -> Value) -> Wait? {
        let promise = Promise<Value>()
        guard let member = enter(key, receiver: { promise.fulfill($0) }) else { return nil }
        let task = Task { finish(member, await send()) }
        didStart(member, cancel: task.cancel)
        return Wait(requests: self, member: member, promise: promise)
    }
}
