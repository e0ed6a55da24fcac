// Declares nothing: see start.c.
