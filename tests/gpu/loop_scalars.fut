-- Loops around kernels that carry scalars as well, which all threads compute, and a loop without kernels once more.

-- ==
-- entry: time
-- input { 3i64 4i64 0.25f64 } output { 13.537990404347545f64 2.0f64 585i64 }
-- input { 5000i64 3i64 0.5f64 } output { 1576529.5633316573f64 2.5f64 194i64 }
-- input { 3i64 0i64 1f64 } output { 3.0f64 1.0f64 7i64 }
-- input { 0i64 3i64 1f64 } output { 0.0f64 4.0f64 194i64 }
-- input { 2i64 9000i64 0.001f64 } output { 1.9247522894301523f64 9.999999999999897f64 -2123963176996537253i64 }
entry time (n: i64) (k: i64) (dt: f64) : (f64, f64, i64) =
  let (x, t, c) =
    loop (x, t, c) = (map f64.i64 (iota n), 1, 7) for j < k do
      (map (\x -> 0.5 * x + f64.sin t + f64.i64 (c & 3)) x, t + dt, c * 3 + j)
  in (f64.sum x, t, c)

-- Scalars that come from an array, and are written to another.
-- ==
-- entry: table
-- input { 3i64 [1f64, 0.5f64, 2f64] } output { 10.125f64 [1.0f64, 3.5f64, 6.5f64] }
-- input { 2000i64 [1f64, 0.5f64] } output { 500750.0f64 [1.0f64, 3.5f64] }
-- input { 3i64 empty([0]f64) } output { 3.0f64 empty([0]f64) }
entry table [k] (n: i64) (steps: [k]f64) : (f64, [k]f64) =
  let (x, _, log) =
    loop (x, t, log) = (map f64.i64 (iota n), 0, replicate k 0) for j < k do
      let t' = t + steps[j]
      in (map (\x -> 0.5 * x + t * steps[j]) x, t', log with [j] = t * 2 + t')
  in (f64.sum x, log)

-- A log of the time, and sums of rows, in both sweeps of a derivative.
-- ==
-- entry: derivative
-- input { 3i64 4i64 0.25f64 0.5f64 } output { 13.404785682195659f64 2.3348392489017695f64 }
-- input { 3000i64 3i64 0.5f64 0.25f64 } output { 13643.933550544774f64 3931.338752101997f64 }
-- input { 3i64 0i64 1f64 1f64 } output { 0.0f64 0.0f64 }
-- input { 2i64 8200i64 0.001f64 1f64 } output { 30842.663443063295f64 25.480404316792384f64 }
entry derivative (n: i64) (k: i64) (dt: f64) (p: f64) : (f64, f64) =
  let x0 = map (\i -> f64.i64 (i % 7) / 7) (iota n)
  let f (dt, p) =
    let (x, _, e) =
      loop (x, t, e) = (x0, 0, 0) for _i < k do
        let x = map (\x -> 0.5 * x + dt * f64.sin (x + p * t)) x
        in (x, t + dt, e + f64.sum x)
    in f64.sum x + e
  in vjp f (dt, p) 1

-- A scalar that depends on the rows is no such scalar.
-- ==
-- entry: feedback
-- input { 3i64 4i64 } output { 36.1875f64 16.5625f64 }
-- input { 300i64 3i64 } output { 118856.25f64 565.75f64 }
-- input { 3i64 0i64 } output { 3.0f64 1.0f64 }
entry feedback (n: i64) (k: i64) : (f64, f64) =
  let (x, t) =
    loop (x, t) = (map f64.i64 (iota n), 1) for _j < k do
      let x = map (\x -> 0.5 * x + t) x
      in (x, t * 0.5 + x[n - 1])
  in (f64.sum x, t)
