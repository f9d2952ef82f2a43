"""The language server speaks to editors; its features are not built yet, so the package is empty."""
