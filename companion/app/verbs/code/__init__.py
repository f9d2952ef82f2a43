"""Code: scans, what happens in editors and shells, what is known of a line."""
