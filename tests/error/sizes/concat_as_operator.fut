-- Concatenation cannot be an operator of reduce.
-- ==
-- error: Occurs check: cannot instantiate m.* with m.* . m
def f = reduce (++) [] [[1i32], [2]]
