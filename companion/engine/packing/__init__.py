"""What goes in, and at which length: a budget shared between tiers, and a knapsack in each."""
