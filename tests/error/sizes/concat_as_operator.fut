-- Concatenation cannot be an operator of reduce.
-- ==
-- error: Occurs check
def f = reduce (++) [] [[1i32], [2]]
