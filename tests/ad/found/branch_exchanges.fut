-- A branch gives two arrays in each other's place, one of them overwritten; the other branch leaves
-- them.  Neither result can be computed without the other one.
-- ==
-- entry: agree
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 5i64 } output { true }

def f [n] (x: [n]f64) : [n]f64 =
  let (a, b, s) =
    loop (a: *[n]f64, b: *[n]f64, s: f64) = (copy x, map f64.cos x, f64.sin 0.5) for j < n do
      if j < 2 then
        let a = a with [j % n] = f64.tanh (0.2 + a[i64.f64 (9 * f64.abs s) % n])
        let ys = map (\q -> q * q + 0.1) a
        let a = a with [(j + 1) % n] = f64.tanh (0.2 + a[j % n])
        in (a, b, f64.sin (s + (reduce (\(p, q) (u, v) -> (p * u, q * u + v)) (1, 0) (zip ys ys)).1))
      else if j % 2 == 0 then
        let (a, b) = (copy b, copy a)
        in (a with [(3 * j + 2) % n] = f64.sin (a[(3 * j + 2) % n]), b, s)
      else (a, b, s)
  in map2 (\p q -> p + s * q) a b

entry agree (n: i64) : bool =
  let (x, d, w) = (tabulate n (\i -> f64.sin (1.7 * f64.i64 i + 0.3)), tabulate n (\i -> 1 / f64.i64 (i + 2)),
                   tabulate n (\i -> f64.cos (f64.i64 i)))
  let dot a b = f64.sum (map2 (*) a b)
  let near a b = f64.abs (a - b) <= 1e-9 * (1 + f64.abs a)
  let h = 1e-5
  let at t = dot w (f (map2 (\x d -> x + t * d) x d))
  let grad x = vjp f x w
  let forward = jvp grad x d
  let reverse = vjp grad x d
  let mixed = vjp (\x -> jvp f x d) x w
  in near (dot (grad x) d) (dot w (jvp f x d))
     && f64.abs ((at h - at (-h)) / (2 * h) - dot (grad x) d) < 1e-8
     && and (map2 near forward reverse) && and (map2 near forward mixed)
