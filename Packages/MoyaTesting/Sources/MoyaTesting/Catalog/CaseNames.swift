/// The cases of an enum, by name. Swift keeps the names for reflection, and hands out one at a time.
enum CaseNames {
    /// The name of the case `value` is, whatever it says about itself, or `nil` where it is no enum.
    static func name<Value>(of value: Value) -> String? {
        guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
        return caseName(value).map { String(cString: $0) }
    }

    /// The names of every case of `type`, in the order in which they are laid out, or `nil` where it is no enum or
    /// the program is built without reflection.
    static func all(of type: Any.Type) -> [String]? {
        // The layout is part of Swift's ABI: docs/ABI/TypeMetadata.rst.
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        guard metadata.load(as: UInt.self) == Layout.enumKind else { return nil }
        let descriptor = metadata.load(
            fromByteOffset: MemoryLayout<UInt>.size, as: UnsafeRawPointer.self)
        guard descriptor.load(as: UInt32.self) & 0x1F == Layout.enumDescriptorKind,
            let fields = target(ofOffsetAt: descriptor + Layout.fieldsOffset)
        else { return nil }
        let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        return (0..<count).compactMap { index in
            let record = fields + Layout.fieldsHeaderSize + index * size
            return target(ofOffsetAt: record + 8).map {
                String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
        }
    }

    private enum Layout {
        static let enumKind: UInt = 0x201
        static let enumDescriptorKind: UInt32 = 18
        static let fieldsOffset = 16
        static let fieldsHeaderSize = 16
    }

    /// What a relative pointer points to: its own address and the offset that is stored there.
    private static func target(ofOffsetAt place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let offset = place.load(as: Int32.self)
        return offset == 0 ? nil : place + Int(offset)
    }
}

/// What `dump` and `print` ask the runtime for.
@_silgen_name("swift_EnumCaseName")
private func caseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
