-- Loops of threads that load what several iterations need at once: sums in order, recurrences that
-- store, places that go down, more and fewer iterations than are done together.
-- ==
-- entry: recurrences
-- input { 5i64 100i64 } output { [1125i64, 1126i64, 1127i64, 1130i64, 1110i64] }
-- input { 3i64 7i64 } output { [83i64, 72i64, 80i64] }
-- input { 2i64 0i64 } output { [0i64, 0i64] }
entry recurrences (n: i64) (m: i64) : [n]i64 =
  let a = tabulate_2d m n (\j i -> (j * 3 + i * 5) % 7 - 3)
  let b = tabulate_2d m n (\j i -> i64.i32 (i32.i64 (j + i) % 5))
  let (_, hs) =
    loop (h, hs) = (replicate n 0, replicate m (replicate n 0)) for j < m do
      let h' = map3 (\a h b -> (a * h + b) % 11 + j % 3) a[j] h b[j]
      in (h', hs with [j] = h')
  let (_, ks) =
    loop (h, ks) = (replicate n 1, replicate m (replicate n 0)) for j < m do
      let k = m - 1 - j
      let h' = map3 (\a h b -> (a + h * b) % 13) hs[k] h b[k]
      in (h', ks with [k] = h')
  in map (\i -> i64.sum (map (\r -> r[i]) ks) + i64.sum (map (\r -> r[i]) hs)) (iota n)

-- ==
-- entry: triangle
-- input { 40i64 } output { 118.00912019636581f64 }
entry triangle (n: i64) : f64 =
  let dot [n] (k: i64) (a: [n]f64) (b: [n]f64) = loop s = 0f64 for i < k do s + a[i] * b[i]
  let l =
    loop l = replicate n (replicate n 0) for i < n do
      loop l for j < i + 1 do
        l with [i, j] = 1 / 8 + (f64.i64 ((i * 3 + j) % 4) - dot j l[i] l[j]) / 64
  in f64.sum (map f64.sum l)

-- The place of a load is one of several results of a choice: it is not ahead of that.
-- ==
-- entry: chosen
-- input { 100i64 [1, -2, 5] } output { [55, 77, 59] }
entry chosen [n] (m: i64) (xs: [n]i32) : [n]i32 =
  let a = tabulate m (\j -> i32.i64 ((j * 3 + 1) % 7))
  in map (\x -> loop h = x for j < m do
            let (k, f) = if h > 0 then (j, 3) else (m - 1 - j, 5)
            in #[unsafe] (h * f - a[k] * 7 + a[j]) % 100) xs

-- A return sweep with functions of doubles stores nothing, and has more statements than compilers take apart.
-- ==
-- entry: backwards
-- input { 7i64 30i64 } output { true }
-- input { 3i64 5i64 } output { true }
-- input { 2i64 0i64 } output { true }
entry backwards (n: i64) (t: i64) : bool =
  let zss = tabulate_2d n t (\i j -> f64.i64 ((i * 5 + j * 3) % 7 - 3) / 8)
  let value (p: [2]f64) =
    let path zs =
      let (_, total) =
        loop (s, total) = (p[0], 0) for z in zs do
          let s = s * f64.exp (p[1] * z - 0.5 * p[1] * p[1])
          in (s, total + s * f64.sin z)
      in total * total
    in f64.sum (map path zss)
  let at = [1.5, 0.25]
  let along = [0.5, -2]
  let got = f64.sum (map2 (*) (vjp value at 1) along)
  let want = jvp value at along
  in f64.abs (got - want) <= 1e-9 * (1 + f64.abs want)
