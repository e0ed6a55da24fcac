/// State shared by all exchanges of one request. Each redirect or challenge starts another
/// exchange.
struct SendContext: Sendable {
    let deadline: Deadline?
    /// Number of `cancelAll` calls when the request began.
    let round: Int
}
