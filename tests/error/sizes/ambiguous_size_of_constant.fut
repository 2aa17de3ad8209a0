-- A size of a polymorphic constant that is one of a value must be known.
-- at 7
-- ==
-- error: Ambiguous size

def rows [n] 'a : [0][n]a = []
def f = let g = rows : [0][]i32 in length g

