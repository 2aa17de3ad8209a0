-- The rows of a map join the same two arrays, and the size of that is computed inside: the adjoint
-- of z is a sum over all rows, computed by a nest of its own that cannot be given what was joined.
-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64] [4f64, 5f64, 6f64] [7f64, 8f64] [1f64, 0f64, 2f64] }
-- output { [0f64, 0f64, 30f64] [0f64, 15f64, 0f64] [11f64, 11f64] }

#[noinline]
def f [n] [m] (x: [n]f64, r: [n]f64, z: [m]f64) : [n]f64 =
  let k = (n + 5) / (n + 4) + 2
  let rows = map (\_ ->
                    let a = (r ++ x)[1::2] :> [n]f64
                    in tabulate n (\i -> loop s = 0 for j < m do s + z[j] * a[i]))
                 (iota k)
  in rows[1 % k]

entry main [n] [m] (x: [n]f64) (r: [n]f64) (z: [m]f64) (s: [n]f64) =
  vjp f (x, r, z) s
