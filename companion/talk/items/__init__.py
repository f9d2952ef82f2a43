"""What a conversation leaves behind, a module a sort of item."""
