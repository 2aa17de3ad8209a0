-- A module lambda.
module f = \(m: { val x : i32 }) -> { def y = m.x + 1 }
module g = f { def x = 4i32 }
-- ==
-- input { } output { 5 }
entry main = g.y
