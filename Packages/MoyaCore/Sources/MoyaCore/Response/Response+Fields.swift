import Foundation

extension Response {
    /// The entity tag in the field `ETag`. `nil` without a valid tag.
    public var entityTag: EntityTag? { header("ETag").flatMap(EntityTag.init) }

    /// The links of the `Link` fields (RFC 8288), in order. Empty for a response created without a
    /// URL.
    public var links: [WebLink] {
        guard let head else { return [] }
        return head.values(for: "Link").flatMap { WebLink.parse($0, relativeTo: head.url) }
    }

    /// Returns the URL of the first link with this relation whose anchor is this resource.
    ///
    /// ```swift
    /// let next = response.link("next")
    /// ```
    public func link(_ relation: String) -> URL? {
        let relation = relation.lowercased()
        return links.first { $0.relations.contains(relation) && $0.anchor == head?.url }?.url
    }
}
