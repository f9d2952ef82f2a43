<?php

declare(strict_types=1);

namespace Market\Shop;

use Market\Stock\Shelf;
use Market\Stock\{Item, Crate};
use Psr\Log\LoggerInterface as Logger;

/**
 * Sells apples.
 */
#[Entity]
final class Shop extends Shelf implements Seller
{
    use Counts;

    public const LIMIT = 10;

    /** Makes a shop. */
    public function __construct(private Logger $logger)
    {
        parent::__construct();
    }

    /**
     * Sells some.
     *
     * @param int $count
     */
    public function sell(int $count): ?Item
    {
        if ($count > self::LIMIT) {
            throw new \InvalidArgumentException('too many');
        }
        return $this->take(new Crate($count));
    }

    private function hide(): void
    {
    }
}

interface Seller
{
    public function sell(int $count): ?Item;
}

function market_total(array $items): int
{
    return count($items);
}
