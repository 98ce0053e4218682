import Foundation

/// An order.
public class Order: Codable {
    public let id: Int
    var name: String = "x"
    private(set) var size = 3
    var total: Int { let local = 1; return local }

    init(id: Int) { self.id = id }

    func run(_ count: Int = 1) async throws -> String? {
        func inner() {}
        return nil
    }

    static func make() -> Order { Order(id: 1) }
}

struct Point { let x: Int }

protocol Shape {
    associatedtype Item
    var area: Double { get }
    func draw()
}

enum Color: String {
    case red, green
    case blue = "b"
}

extension Order: Shape {
    func draw() {}
}

typealias Handler = (Int) -> Void
func top(a: Int) -> Int { a }
let limit = 10
