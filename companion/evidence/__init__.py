"""Evidence: what a project says about itself, cut into passages that can be found. Pure: texts in, passages out."""
