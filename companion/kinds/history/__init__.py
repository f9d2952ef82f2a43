"""What the history tells: stories of commits and branches, and which of them earn a place."""
