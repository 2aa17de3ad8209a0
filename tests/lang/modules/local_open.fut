-- Opening a module in an expression.
module m = { def x : i32 = 3 def (+) (a: i32) (b: i32) : i32 = i32.(a * b) }
-- ==
-- input { 5 } output { 15 8 }
entry main (y: i32) = (m.(x + y), m.x + y)
