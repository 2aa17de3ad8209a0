-- Field names as variables.
-- ==
-- input { 1 2 } output { 3 }
entry main (x: i32) (y: i32) = let r = {x, y} in let {x = u, y = v} = r in u + v
