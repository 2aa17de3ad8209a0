-- Abstract types with size parameters.
module type vec = { type vec [n] val mk [n] : [n]i32 -> vec [n] val sum [n] : vec [n] -> i32 }
module v : vec = { type vec [n] = [n]i32 def mk [n] (xs: [n]i32) : vec [n] = xs def sum [n] (xs: vec [n]) = i32.sum xs }
-- ==
-- input { [1, 2, 3] } output { 6 }
entry main (xs: []i32) = v.sum (v.mk xs)
