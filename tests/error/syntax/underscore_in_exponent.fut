-- The exponent of a decimal float has no underscores: a name follows it.
-- at 6
-- ==
-- error: Cannot apply expression as function

def f = 1e1_0

