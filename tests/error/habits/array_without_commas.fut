-- An array without commas.
-- at 6
-- ==
-- error: the elements of an array are separated by commas

def f = [1 2 3]
