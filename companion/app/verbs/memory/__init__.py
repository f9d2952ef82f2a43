"""Memories: kept by hand, gone through and looked back at; acts, which hold them."""
