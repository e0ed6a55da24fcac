import Foundation

extension Double {
    /// The number as reports and scripts write it, whatever the locale: `12345.5`.
    ///
    /// - Parameter digits: How many digits there are after the point at most.
    func plain(_ digits: Int = 3) -> String {
        formatted(
            .number.precision(.fractionLength(0...digits)).grouping(.never)
                .locale(Locale(identifier: "en_US_POSIX")))
    }
}
