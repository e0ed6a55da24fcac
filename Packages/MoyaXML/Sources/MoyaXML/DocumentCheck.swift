#if XML
    import Foundation

    #if canImport(FoundationXML)
        import FoundationXML
    #endif

    /// Refuses documents that must not reach XMLCoder. XMLCoder reads elements recursively, so a
    /// server could overflow the stack with nested elements: XMLParser does not limit the depth.
    final class DocumentCheck: NSObject, XMLParserDelegate {
        /// As in libxml2, where it parses a document at once.
        static let maximumDepth = 256

        private var depth = 0
        private var isTooDeep = false

        /// - Throws: `DecodingError` for elements nested too deeply. A document that is not XML is
        ///   left to the decoder.
        static func check(_ data: Data) throws {
            let check = DocumentCheck()
            let parser = XMLParser(data: data)
            parser.delegate = check
            _ = parser.parse()
            guard !check.isTooDeep else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: [],
                        debugDescription: "Elements are nested deeper than \(maximumDepth) levels.")
                )
            }
        }

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
        ) {
            depth += 1
            guard depth > Self.maximumDepth else { return }
            isTooDeep = true
            parser.abortParsing()
        }

        func parser(
            _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?
        ) {
            depth -= 1
        }
    }
#endif
