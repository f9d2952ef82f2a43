package com.example.shop

import com.example.stock.Shelf

/** Sells apples. */
class Shop(items: List[String]) extends Shelf {
  /** Sells some. */
  def sell(count: Int): Int = {
    if (count > Shop.Limit) throw new IllegalArgumentException("too many")
    take(count)
  }

  private def hide(): Unit = println("hidden")
}

trait Seller {
  def sell(count: Int): Int
}

object Shop {
  val Limit = 10
}
