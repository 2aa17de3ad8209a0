-- A loop of the host that holds a kernel and a loop of checks, which has no results: it stays on the host.
-- structure soac,gpu: loop.kernel 1
-- ==
-- input { 3i64 2i64 [1.0, 2.0] } output { [8.0, 16.0] }
-- input { 0i64 0i64 [1.0, 2.0] } output { [1.0, 2.0] }
-- input { 4i64 2i64 [1.0, 2.0] } error: Assertion is false
entry main [n] (k: i64) (d: i64) (xs: [n]f64) : [n]f64 =
  loop xs = xs for i < k do
    let c = loop c = 0 for j < i do assert (j < d) (c + 1)
    in map (* 2) (if c < 0 then xs else xs)
