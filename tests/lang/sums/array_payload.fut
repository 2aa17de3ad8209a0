-- A constructor with an array.
type t [n] = #vec ([n]i32) | #zero
def total [n] (x: t [n]) : i32 = match x case #vec xs -> i32.sum xs case #zero -> 0
-- ==
-- input { [1, 2, 3] } output { 6 0 }
entry main [n] (xs: [n]i32) = (total (#vec xs), total (#zero : t [n]))
