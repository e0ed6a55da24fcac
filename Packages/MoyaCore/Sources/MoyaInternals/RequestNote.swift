/// What logs say about the requests of the current task, beside their URL: why a resumable transfer
/// starts again, for example.
public enum RequestNote {
    /// The note, in a sentence. `nil` for ordinary requests.
    @TaskLocal public static var current: String?
}
