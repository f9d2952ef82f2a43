"""Measures the product on a user's own history, beside simple baselines."""
