"""The night job tidies the store; its passes are not built yet, so the package is empty."""
