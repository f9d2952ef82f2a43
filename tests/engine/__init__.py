"""Tests of the engine, and the library in memory that they ask."""
