extension OutgoingRequest: CustomStringConvertible, CustomReflectable {
    var description: String { request?.maskedDescription ?? "no request" }

    var customMirror: Mirror {
        Mirror(self, children: ["request": description], displayStyle: .class)
    }
}
