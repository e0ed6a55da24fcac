/// What all exchanges of one request share: a redirect or a challenge makes another exchange.
struct SendContext: Sendable {
    let deadline: Deadline?
    /// How often everything had been cancelled when it began.
    let round: Int
}
