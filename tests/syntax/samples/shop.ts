/** The shop's front. */
import Stock, { count as howMany, Item } from "./stock";
import * as fs from "node:fs";
import type { Basket } from "@/basket";

/** What can be sold. */
export interface Sellable<T> extends Item {
  price(tax: number): number;
}

export enum Colour { Red, Green }

export type Price = { amount: number };

export abstract class Shop<T> extends Stock implements Sellable<T> {
  private items: T[] = [];

  /** Costs with {@link Price}. */
  price(tax: number): number {
    return howMany(this.items) * tax;
  }

  private hide(): void {
    throw new RangeError("hidden");
  }

  abstract open(): Promise<void>;
}

export const total = (basket: Basket): number => basket.items.length;

const LIMIT = 10;

export default function main(): void {
  function inner() {
    return fs.readFileSync("x");
  }
  console.log(inner(), new Date());
}

const handlers = {
  onOpen: (shop: Shop<Item>) => shop.open(),
};
