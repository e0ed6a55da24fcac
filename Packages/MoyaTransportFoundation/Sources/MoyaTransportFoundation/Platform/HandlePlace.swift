#if !canImport(Security)
    import Foundation
    import FoundationNetworking
    @_spi(Reflection) import Swift

    /// Where URLSession's own protocol for http has libcurl's handle.
    struct HandlePlace: Sendable {
        private let wrapper: Int
        private let handle: Int

        /// Looked up once, by the names and types of stored properties: a mirror for each exchange takes a tenth of its
        /// time. `nil` where there are none by these names.
        static let known: HandlePlace? = {
            guard let carrier = GuardedProtocol.builtIn,
                let wrapper = field("easyHandle", of: carrier),
                let easy = (wrapper.type as? any WrappingType.Type)?.wrapped as? AnyClass,
                let handle = field("rawHandle", of: easy),
                handle.type == UnsafeMutableRawPointer.self
            else { return nil }
            return HandlePlace(wrapper: wrapper.offset, handle: handle.offset)
        }()

        private static func field(_ name: String, of type: AnyClass) -> (
            offset: Int, type: Any.Type
        )? {
            var found: (offset: Int, type: Any.Type)?
            _ = _forEachField(of: type, options: .init(rawValue: 1)) { label, offset, type, _ in
                if String(cString: label) == name { found = (offset, type) }
                return found == nil
            }
            return found
        }

        /// The handle of `carrier`, an instance of ``GuardedProtocol/builtIn``.
        func handle(of carrier: URLProtocol) -> UnsafeMutableRawPointer? {
            Unmanaged.passUnretained(carrier).toOpaque()
                .load(fromByteOffset: wrapper, as: UnsafeRawPointer?.self)?
                .load(fromByteOffset: handle, as: UnsafeMutableRawPointer?.self)
        }
    }

    private protocol WrappingType {
        static var wrapped: Any.Type { get }
    }

    extension Optional: WrappingType {
        fileprivate static var wrapped: Any.Type { Wrapped.self }
    }
#endif
