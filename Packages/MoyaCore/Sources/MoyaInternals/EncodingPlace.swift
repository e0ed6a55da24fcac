/// Describes encoding errors without values, which may be secret.
public enum EncodingPlace {
    /// Returns the type of the value and the coding path of the error.
    public static func describe(_ error: EncodingError) -> String {
        switch error {
        case .invalidValue(let value, let context):
            let place = DecodingPlace.path(context.codingPath)
            if let number = value as? any BinaryFloatingPoint, !number.isFinite {
                return "the \(type(of: value)) at \(place) is not finite"
            }
            return "cannot encode \(type(of: value)) at \(place)"
        @unknown default: return "\(EncodingError.self)"
        }
    }
}
