import Foundation

extension Double {
    /// Formats the number for reports and scripts, independent of the locale: `12345.5`.
    ///
    /// - Parameter digits: Maximum number of fraction digits.
    func plain(_ digits: Int = 3) -> String {
        formatted(
            .number.precision(.fractionLength(0...digits)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX")))
    }
}
