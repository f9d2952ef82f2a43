"""How fast it is, in a warm process and from outside, on stores of any size."""
