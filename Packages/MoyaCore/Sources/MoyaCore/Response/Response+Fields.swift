import Foundation

extension Response {
    /// The version of the resource, from the field `ETag`. `nil` where the response names none.
    public var entityTag: EntityTag? { header("ETag").flatMap(EntityTag.init) }

    /// The links of the `Link` fields (RFC 8288), in their order. Empty for a response made by hand without a URL.
    public var links: [WebLink] {
        guard let head else { return [] }
        return head.values(for: "Link").flatMap { WebLink.parse($0, relativeTo: head.url) }
    }

    /// The URL of the first link with this relation whose anchor is this resource.
    ///
    /// ```swift
    /// let next = response.link("next")
    /// ```
    public func link(_ relation: String) -> URL? {
        let relation = relation.lowercased()
        return links.first { $0.relations.contains(relation) && $0.anchor == head?.url }?.url
    }
}
