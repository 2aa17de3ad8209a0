-- Nothing says how long the rows of an empty array are.
-- ==
-- error: Ambiguous size .* arising from
def f = length ([] : [][]i32)
