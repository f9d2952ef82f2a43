"""From a sentence to what it claims: amounts, versions, bounds, frames, terms."""
