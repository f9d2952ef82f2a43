"""From a repository to what is known of it: the whole way of a scan, and the narrow way of a change."""
