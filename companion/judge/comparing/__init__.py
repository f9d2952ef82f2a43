"""Two claims laid side by side: what agrees, what differs, what is about something else."""
