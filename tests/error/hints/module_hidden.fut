-- In R.(...) the function i64 of R hides the module i64.
-- at 6
-- ==
-- error: "i64" is a function here, which hides the module

module halves (R: real) = { def f (x: i64) = R.(i64 (i64.max x 1) / i64 2) }
module h = halves f64
entry main (x: i64) = h.f x
