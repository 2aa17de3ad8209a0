-- A variable shadows a module of the same name.
module m = { def x : i32 = 1 }
-- ==
-- input { 5 } output { 5 1 }
entry main (y: i32) = let r = let m = {x = y} in m.x in (r, m.x)
