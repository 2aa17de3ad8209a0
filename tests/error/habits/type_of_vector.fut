-- The type of a vector of Julia.
-- at 6
-- ==
-- error: the type of an array is written

def f (xs: Vector{Float64}) = xs
