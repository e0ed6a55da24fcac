/// Log note for the requests of the current task.
public enum RequestNote {
    /// The note, in a sentence. `nil` for ordinary requests.
    @TaskLocal public static var current: String?
}
