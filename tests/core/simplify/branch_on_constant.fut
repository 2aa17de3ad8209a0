-- The branch that is taken is known after inlining.
-- structure simplify: if 0, prim 1
-- ==
-- input { 3i32 } output { 4i32 }
def f (up: bool) (x: i32) = if up then x + 1 else x - 1
entry main (x: i32) : i32 = f true x
