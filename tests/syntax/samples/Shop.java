/*
 * Copyright 2020 Somebody. Licensed under the Apache License.
 */
package com.example.shop;

import com.example.stock.Shelf;
import java.util.List;
import static com.example.stock.Counts.howMany;

/**
 * Sells <b>apples</b>. And pears.
 */
public final class Shop<T> extends Shelf implements Seller, AutoCloseable {
  /** Most of all. */
  public static final int LIMIT = 10;

  private int sold;

  public Shop(List<T> items) {
    super(items);
  }

  /** Sells some. */
  @Override
  @Deprecated(since = "2")
  public int sell(int count) throws EmptyException {
    if (count > howMany(this)) {
      throw new EmptyException("none left");
    }
    try {
      return take(count);
    } catch (IllegalStateException | RuntimeException e) {
      return 0;
    }
  }

  private void hide() {}

  enum Colour { RED, GREEN }

  interface Watcher {
    void sold(int count);
  }

  record Price(int cents) {}
}
