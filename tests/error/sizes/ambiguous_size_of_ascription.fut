-- Of what has a size that nothing determines, the type that is written says most.
-- at 6
-- ==
-- error: 6:22-29:.Ambiguous size "d" arising from explicit type ascription

def f = length ([] : [][]i32)
