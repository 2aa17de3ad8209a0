-- Empty ranges.
-- ==
-- input { 1 } output { empty([0]i32) empty([0]i32) }
entry main (x: i32) : ([]i32, []i32) = (x..<x, x..>x)
