"""Ways in: the command line, HTTP and assistants; `connecting` writes the settings of those who come in."""
