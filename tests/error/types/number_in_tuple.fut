-- Numbers whose type is not known yet are called so, also in tuples.
-- at 6
-- ==
-- error: Actual:   .number, number.

def pairs = [1, (2, 3)]
