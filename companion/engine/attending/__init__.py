"""What somebody is at: the files and words of an ask, the activity, and what interest has gathered."""
