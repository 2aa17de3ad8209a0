-- Arrays that are updated as often as the data says: while loops, loops with bounds that differ
-- and branches with these, in loops.  Reverse mode agrees with forward mode.
-- ==
-- entry: heap unions eliminated rows_of_row branch_of_while scattered while_in_while read_later
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { [0.5, 0.25] }
-- output { true }
-- input { empty([0]f64) }
-- output { true }

def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (map (\j -> f64.bool (i == j)) (iota n))) (iota n)
  in and (map2 (\a b -> f64.abs (a - b) <= 1e-12 * (1 + f64.abs a)) g d)

def weighted [n] (a: [n]f64) = f64.sum (map2 (\i v -> f64.i64 (i + 1) * v) (iota n) a)

entry heap [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for t < n / 2 do
    (loop (a, i, go) = (a, n / 2 - 1 - t, true) while go && 2 * i + 1 < n do
      let l = 2 * i + 1
      let r = i64.min (l + 1) (n - 1)
      let m = if a[r] < a[l] then r else l
      in if a[m] < a[i]
         then let t = a[m] let a[m] = a[i] in (a with [i] = f64.sin t, m, true)
         else (a, i, false)).0)) x

entry unions [n] (x: [n]f64) = agree (\x ->
  let find (p: *[n]i64) (w: *[n]f64) (i: i64) : (*[n]i64, *[n]f64, i64) =
    loop (p, w, i) while p[i] != i do
      let up = p[p[i]]
      let wi = w[i] * w[p[i]]
      let p[i] = up
      in (p, w with [i] = wi, up)
  let (_, w, acc) = loop (p, w, acc) = (iota n, copy x, 0) for i < n do
    let (p, w, r) = find p w ((i * 31) % n)
    let (p, w, s) = find p w ((i * 17 + 7) % n)
    in if r == s then (p, w, acc + w[r])
       else let wr = w[r]
            let p[r] = s
            in (p, w with [s] = 0.9 * w[s] + 0.1 * wr, acc + wr * 0.1)
  in acc + weighted w) x

entry eliminated [n] (x: [n]f64) = agree (\x ->
  let m = map (\v -> map (\u -> 0.1 * u * v) x) x
  in weighted (flatten (loop m = copy m for i < n do
    loop m for p < i do
      let q = (p * 3 + i) % n
      let f = m[i, p] / (2 + m[q, p])
      in loop m for j in p..<n do
        if j % 3 == 1 then m else m with [i, j] = m[i, j] - f * m[q, j] * m[i, j]))) x

entry rows_of_row [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    loop a for j < i do
      if (i + j) % 2 == 0 then a
      else a with [j:i] = map2 (\u v -> f64.sin (u * v)) a[j:i] (reverse a[j:i]))) x

entry branch_of_while [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    let a = if i % 3 == 0 then a
            else (loop (a, j) = (a, i) while j > 0 && a[j] < 0.7 do
                    (a with [j] = a[j] * (1 + a[j - 1]), j - 1)).0
    let u = f64.cos a[i]
    in a with [0] = a[0] * u)) x

entry scattered [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    (loop (a, j) = (a, i) while j < n do
      let a = scatter a (map (\k -> (k * 3 + i) - 2) (iota j)) (map (\k -> a[k] * a[i]) (iota j))
      in (reduce_by_index a (+) 0 [j, -1, i] [a[i] * a[i], 1, a[j]], j + 2)).0)) x

entry while_in_while [n] (x: [n]f64) = agree (\x ->
  (loop (a, i, s) = (copy x, 0, 1) while i < n && s > 0.01 do
    let (a, k) = loop (a, k) = (a, i) while k < n && a[k] > 0.3 do
      (a with [k] = 0.5 * a[k] * s, k + 1)
    in (a, i + 1, s * (0.5 + a[i64.min k (n - 1)]))).2) x

-- The array before is read by a reduction that is differentiated afterwards.
entry read_later [n] (x: [n]f64) = agree (\x ->
  (loop (a, s) = (copy x, 0) for i < n do
    let h = f64.sum (map (\v -> v * v * v) a)
    let (a, _) = loop (a, j) = (a, i) while j > 0 && a[j] > 0.1 do
      (a with [j] = a[j] * 0.4 * a[j - 1], j - 1)
    in (a, s + h * a[i])).1) x
