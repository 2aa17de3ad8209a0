-- A result of which nothing is unique does not fit one that is, nor one that may alias an argument.
-- at 7 8 10
-- ==
-- error: Module type specifies

module type s = { val f [n] : *[n]i32 -> *([n]i32, [n]i32) }
module m : s = { def f [n] (xs: *[n]i32) : ([n]i32, [n]i32) = (xs, replicate n 1) }
module k : { val f [n] : [n]i32 -> *[n]i32 } = { def f [n] (xs: [n]i32) = xs }
module h : { val h [n] : *[n]i32 -> [n]i32 -> *([n]i32, [n]i32) } =
  { def h [n] (xs: *[n]i32) (ys: [n]i32) : (*[n]i32, [n]i32) = (xs, ys) }
