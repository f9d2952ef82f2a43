package com.example.shop

import com.example.stock.Shelf

/** Sells apples. */
class Shop(private val items: List<String>) : Shelf(), Seller {
    /** Sells some. */
    override fun sell(count: Int): Int {
        if (count > LIMIT) throw IllegalArgumentException("too many")
        return take(count)
    }

    private fun hide() = println("hidden")
}

interface Seller {
    fun sell(count: Int): Int
}

object Market

const val LIMIT = 10

fun open(): Shop = Shop(emptyList())
