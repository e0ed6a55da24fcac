extension SharedRequests {
    /// The wait of one of the equal requests for their result.
    public struct Wait: Sendable {
        fileprivate let requests: SharedRequests
        fileprivate let member: Membership
        fileprivate let promise: Promise<Value>

        /// Returns the result, or `cancelled` if the waiting task is cancelled while other requests
        /// wait. The last wait ends with the cancelled exchange.
        public func value(ifCancelled cancelled: Value) async -> Value {
            await promise.value {
                if !requests.cancel(member) { promise.fulfill(cancelled) }
            }
        }

        /// Ends the wait. An exchange stays in the table until each of its waits has ended.
        @Sendable public func leave() { requests.leave(member) }
    }

    /// Waits for the result of an equal request in flight. `nil` if there is no such request.
    public func join(_ key: Key) -> Wait? {
        let promise = Promise<Value>()
        return join(key, receiver: promise.fulfill).map {
            Wait(requests: self, member: $0, promise: promise)
        }
    }

    /// Sends a request that equal requests can join, in a task of its own, which is cancelled when
    /// the last wait for it is. `nil` if an equal request has been sent in the meantime, and has no
    /// result yet.
    public func start(_ key: Key, _ send: @escaping @Sendable () async -> Value) -> Wait? {
        let promise = Promise<Value>()
        guard let member = enter(key, receiver: promise.fulfill) else { return nil }
        let task = Task { finish(member, await send()) }
        run(member, cancel: task.cancel)
        return Wait(requests: self, member: member, promise: promise)
    }
}
