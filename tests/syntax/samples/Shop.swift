import Foundation

/// Sells apples.
class Shop: Shelf, Seller {
    /// Sells some.
    func sell(count: Int) throws -> Int {
        if count > limit {
            throw ShopError.tooMany(count)
        }
        return take(count)
    }

    private func hide() {}
}

protocol Seller {
    func sell(count: Int) throws -> Int
}

enum ShopError: Error {
    case tooMany(Int)
}

extension Shop {
    func open() {}
}

let limit = 10

func market() -> Shop { Shop() }
