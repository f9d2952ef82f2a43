"""The index of passages: all pieces of evidence by their words, made from the files and commits they were cut from."""
