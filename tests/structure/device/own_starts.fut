-- An array that a loop of each thread makes twice as long starts from a copy of the thread's own, so that the memory of
-- all threads for it is interleaved.
-- structure soac,gpu: copy 2
-- ==
-- entry: main
-- input { [0.5f64, 0.25f64, 0.75f64] 2i64 } output { [3.3125f64, 2.486328125f64, 3.755859375f64] }
-- input { [0.5f64] 0i64 } output { [0.5f64] }
-- input { empty([0]f64) 3i64 } output { empty([0]f64) }
def doubled (depth: i64) (start: [1]f64) (p: f64) : f64 =
  let shares =
    loop shares = start for _i < depth do
      flatten (map2 (\s i -> [s * p, s * (1 - p) + f64.i64 i]) shares (indices shares))
  in f64.sum (map2 (\s i -> s * s * f64.i64 (i + 1)) shares (indices shares)) * p

entry main [n] (ps: [n]f64) (depth: i64) : [n]f64 = map (doubled depth [1]) ps

-- ==
-- entry: gradient
-- input { [0.5f64, 0.25f64, 0.75f64] 2i64 } output { [1.875f64, 5.5078125f64, 2.3828125f64] }
entry gradient [n] (ps: [n]f64) (depth: i64) : [n]f64 =
  vjp (\ps -> f64.sum (main ps depth)) ps 1
