-- So it is for scalars in loops.
-- structure soac: loop 1
-- ==
-- input { 3i32 2f64 } output { 163.7944500994327f64 }
entry main (n: i32) (x: f64) : f64 = loop s = 0 for _i < n do s + f64.exp (x * x)
