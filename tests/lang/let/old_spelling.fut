-- let at top level.
let double (x: i32) = x * 2
-- ==
-- input { 4 } output { 8 }
let main (x: i32) = double x
