//! A shop of apples.

use crate::stock::{Item, Shelf as Rack};
use std::fmt;

mod price;

/// The most one may buy.
pub const LIMIT: usize = 10;

/// Holds what was chosen.
#[derive(Debug, Clone)]
pub struct Basket<'a> {
    items: Vec<&'a Item>,
}

pub struct Meters(f64);

pub enum Colour {
    Red,
    Green,
}

/// Sells things.
pub trait Seller {
    /// Sells some.
    fn sell(&self, count: usize) -> Result<(), Error>;
}

impl<'a> Basket<'a> {
    /// Makes an empty one.
    pub fn new() -> Self {
        Self { items: Vec::new() }
    }

    fn weigh(&self) -> f64 {
        price::of(self.items.len())
    }
}

impl Seller for Basket<'_> {
    fn sell(&self, count: usize) -> Result<(), Error> {
        Rack::take(count)?;
        println!("sold {}", count);
        Ok(())
    }
}

macro_rules! apples {
    ($n:expr) => {
        $n
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sells_one() {
        Basket::new().sell(1).unwrap();
    }
}
