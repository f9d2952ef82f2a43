"""Storms of kills: whoever writes is killed at random moments, and everything acknowledged is looked for."""
