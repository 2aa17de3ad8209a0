-- Two arrays that a loop copies and exchanges, or leaves as they are after no iteration, before one
-- of them is overwritten: by the one thread that runs all of it.
-- ==
-- input { [0.1f64, 0.2f64, 0.3f64, 0.4f64] 4i64 }
-- output { [0.2782161917577519f64, 1.1368254221256213f64, 0.5506164514292743f64, 1.3088340625447956f64]
--          [0.7046677934632379f64, 1.199056579473682f64, 0.5120378751182271f64, 1.3286155299295368f64] }
-- input { [0.1f64] 0i64 } output { [0.1f64] [1.1f64] }

entry main [n] (x: [n]f64) (k: i64) : ([n]f64, [n]f64) =
  loop (a: *[n]f64, b: *[n]f64) = (copy x, map (+ 1) x) for j < k do
    let a = map2 (\p q -> f64.sin p + 0.3 * q) a b
    let (a, b, _) =
      loop (a: *[n]f64, b: *[n]f64, i) = (a, b, 0) while i < j && i < 3 do
        let (a, b) = (copy b, copy a)
        let a[(3 * i + 2) % n] = f64.sin (b[i % n] * a[i % n])
        in (a, b, i + 2)
    in if a[j % n] < 0.9 then
         let b[j % n] = f64.tanh (0.2 + a[j % n])
         in (a, b)
       else (a, b)
