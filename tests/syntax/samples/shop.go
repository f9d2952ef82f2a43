// Package shop sells apples.
package shop

import (
	"fmt"
	str "strings"

	"example.com/market/internal/stock"
)

// Limit is the most that one may buy.
const Limit = 10

var errEmpty = fmt.Errorf("empty")

// Basket holds what was chosen.
type Basket struct {
	stock.Shelf
	owner string
}

// Seller sells.
type Seller interface {
	Sell(n int) error
}

type Price float64

// New makes a basket.
func New(owner string) *Basket {
	return &Basket{owner: str.TrimSpace(owner)}
}

// Sell implements Seller.
func (b *Basket) Sell(n int) error {
	if err := stock.Take(n); err != nil {
		return fmt.Errorf("sell: %w", err)
	}
	return nil
}

func (p Price) round() Price { return p }
