-- Branches have made the sizes of the parameters one.
-- ==
-- error: do not match
def either b xs ys = if b then xs else ys
entry main (b: bool) = length (either b [1i32] [2, 3])
