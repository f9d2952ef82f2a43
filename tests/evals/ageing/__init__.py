"""How a store ages: half a year lived through, day by day."""
