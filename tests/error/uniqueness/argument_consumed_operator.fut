-- Nor the other operand.
-- at 7
-- ==
-- error: is consumed, but another argument

def (<+) (src: []i64) (dst: *[]i64) : i64 = let d = dst with [0] = src[0] in d[0]
def f (xs: *[]i64) = 1 + (xs <+ xs)
