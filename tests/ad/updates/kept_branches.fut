-- While loops that read numbers in branches which update arrays: the numbers are kept
-- (src/ad/vjp_reads.c, src/ad/vjp_values.c).  Reverse mode agrees with forward mode, and so do second
-- derivatives.
-- ==
-- entry: worklist both_branches computed_index unread nested fails_late
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { [0.5, 0.25] }
-- output { true }

def close (a: f64) (b: f64) = f64.abs (a - b) <= 1e-11 * (1 + f64.abs a)
def unit n i = map (\j -> f64.bool (i == j)) (iota n)
def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (unit n i)) (iota n)
  let h = map (\i -> jvp (\y -> vjp f y 1) x (unit n i)) (iota n)
  let t = map (\i -> vjp (\y -> vjp f y 1) x (unit n i)) (iota n)
  in and (map2 close g d) && and (map2 close (flatten h) (flatten t))

def weighted [n] (a: [n]f64) = f64.sum (map2 (\i v -> f64.i64 (i + 1) * v * v) (iota n) a)

-- A queue of work that grows while it is done.
entry worklist [n] (x: [n]f64) = agree (\x ->
  let (v, _, _, _) = loop (v, q, head, tail) = (copy x, replicate (3 * n) 0i64, 0i64, 1i64)
    while head < tail do
      let i = q[head]
      let v[i] = f64.sin v[i] + 0.1
      let (c, d) = (2 * i + 1, 2 * i + 2)
      let (v, q, tail) =
        if c < n then (v with [c] = v[c] * v[i], q with [tail] = c, tail + 1) else (v, q, tail)
      let (v, q, tail) =
        if d < n then (v with [d] = v[d] + v[i], q with [tail] = d, tail + 1) else (v, q, tail)
      in (v, q, head + 1, tail)
  in weighted v) x

entry both_branches [n] (x: [n]f64) = agree (\x ->
  weighted (loop (a, c) = (copy x, 0) while c < 2 * n do
    let at = (c * 3) % n
    let a[at] = f64.sin a[at]
    let a = if a[at] > 0.4 then a with [0] = a[0] * a[n - 1]
            else a with [n - 1] = a[at] * f64.exp a[(at + 1) % n]
    in (a, c + 1)).0) x

-- The index is computed in the branch, from a number that was read before.
entry computed_index [n] (x: [n]f64) = agree (\x ->
  weighted (loop (a, c) = (copy x, 0) while c < n && a[c] < 2 do
    let a[c] = a[c] * a[c] + 0.1
    let a = if c % 2 == 0 then let at = i64.f64 (a[c] * 10) % n in a with [at] = a[at] * a[c] * a[(at + c) % n]
            else a
    in (a, c + 1)).0) x

-- What is read is stored and added alone: nothing is kept.
entry unread [n] (x: [n]f64) = agree (\x ->
  weighted (loop (a, c) = (copy x, 0) while c < n do
    let a[c] = 2 * a[c]
    let a = if c > 0 then a with [c - 1] = a[c - 1] + 3 * a[c] else a
    in (a, c + 1)).0) x

entry nested [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = copy x for i < n do
    (loop (a, c) = (a, i) while c > 0 do
      let a[c] = f64.sin a[c]
      let a = if c % 3 != 0 then
                let a[c - 1] = a[c] * a[c - 1]
                in if c % 2 == 0 then a with [0] = a[0] * a[c - 1] else a
              else a
      in (a, c / 2)).0)) x

-- A read behind the end of the array, in a branch that is never taken.
entry fails_late [n] (x: [n]f64) = agree (\x ->
  weighted (loop (a, c) = (copy x, 0) while c < n do
    let a[c] = f64.cos a[c]
    let a = if c >= n then a with [0] = a[c + n] * a[0] else a
    in (a, c + 1)).0) x

-- ==
-- entry: fails
-- input { [0.5, 0.25] 3i64 } output { [0.1875f64, 0.375f64] }
-- input { [0.5, 0.25] 1i64 } error: Index \[3\] out of bounds
entry fails [n] (x: [n]f64) (k: i64) : [n]f64 =
  vjp (\x -> (loop (a, c) = (copy x, 0) while c < n do
    let a[c] = 1.5 * a[c]
    let a = if c >= k then a with [0] = a[c + n] * a[0] else if c == 1 then a with [0] = a[0] * a[1] else a
    in (a, c + 1)).0[0] / 1.5) x 0.5
