-- Opening modules.
module a = { def x : i32 = 1 def y : i32 = 2 }
module b = { def x : i32 = 10 }
open a
open b
-- ==
-- input { } output { 10 2 }
entry main = (x, y)
