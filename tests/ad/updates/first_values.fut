-- Loops that go over all of an array and read what no earlier iteration has written, which is then taken from the array
-- before the loop; and loops that look like these but are none.  Reverse mode agrees with forward mode, and so do second derivatives.
-- ==
-- entry: columns reflections alone used_after before_and_after in_branch backwards read_again neighbour next_column second_sweep two_arrays in_map stored
-- input { [0.3, 0.9, 0.2, 0.8, 0.4, 0.7, 0.6, 0.5, 0.1] }
-- output { true }
-- input { [0.5, 0.25, 0.75, 0.4] }
-- output { true }
-- input { [0.5] }
-- output { true }
-- input { empty([0]f64) }
-- output { true }

def close (a: f64) (b: f64) = f64.abs (a - b) <= 1e-11 * (1 + f64.abs a)
def unit n i = map (\j -> f64.bool (i == j)) (iota n)
def agree [n] (f: [n]f64 -> f64) (x: [n]f64) : bool =
  let g = vjp f x 1
  let d = map (\i -> jvp f x (unit n i)) (iota n)
  let h = map (\i -> jvp (\y -> vjp f y 1) x (unit n i)) (iota n)
  let t = map (\i -> vjp (\y -> vjp f y 1) x (unit n i)) (iota n)
  in and (map2 close g d) && and (map2 close (flatten h) (flatten t))

def order (n: i64) : i64 = i64.f64 (f64.sqrt (f64.i64 n))
def square [n] (x: [n]f64) : *[][]f64 =
  let k = order n
  in copy (unflatten (x[0:k * k] :> [k * k]f64))
def weighted [n][m] (a: [n][m]f64) =
  f64.sum (map2 (\i v -> f64.i64 (i + 1) * v * v) (iota (n * m)) (flatten a))

-- A column by what it was, in the steps of a loop around.
def step [k] (v: [k]f64) (p: i64) (a: *[k][k]f64) : *[k][k]f64 =
  loop a for j in p..<k do
    let s = f64.sum (map (\i -> v[i] * a[i, j] * a[i, j]) (p..<k))
    in loop a for i in p..<k do a with [i, j] = a[i, j] - 0.3 * s * v[i]
entry columns [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = square x for p < order n do
    let v = copy a[:, p]
    in step v p a)) x
entry reflections [n] (x: [n]f64) = agree (\x ->
  weighted (loop a = square x for p < order n do
    let norm = f64.sqrt (0.1 + f64.sum (map (\i -> a[i, p] * a[i, p]) (p..<order n)))
    let v = map (\i -> if i < p then 0 else if i == p then a[p, p] + norm else a[i, p]) (iota (order n))
    in step v p a)) x

-- Without a loop around: the array is copied, whoever else reads it.
entry alone [n] (x: [n]f64) = agree (\x ->
  let a = square x
  let v = copy a[:, 0]
  in weighted (step v 0 a)) (if n == 0 then [0.5] else x)
entry used_after [n] (x: [n]f64) = agree (\x ->
  let a = square x
  let b = map (map f64.sin) a
  let v = copy a[0]
  let c = step v 0 (copy b)
  in weighted c + weighted b * weighted c) (if n == 0 then [0.5] else x)

-- Other updates before and after it, in the same iteration.
entry before_and_after [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    let a[p, p] = f64.sin a[p, p] * a[p, 0]
    let v = map (+ 0.2) a[p]
    let a = step v 0 a
    in a with [0, p] = a[0, p] * a[p, p])) x
entry in_branch [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    let v = copy a[p]
    in if a[p, 0] > 0.3 then step v 0 a else a with [p, 0] = a[p, 0] * v[k - 1])) x
entry backwards [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    let v = copy a[p]
    in loop a for h < k do
      let j = k - 1 - h
      let s = f64.sum (map (\i -> v[i] * f64.sin a[i, j]) (iota k))
      in loop a for i < k do a with [i, j] = a[i, j] - s * v[i])) x

-- Reads of what the same, or an earlier, iteration has written.
entry read_again [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    loop a for j < k do
      let a = loop a for i < k do a with [i, j] = a[i, j] * a[i, j] * 0.5 + 0.1
      let s = f64.sum (map (\i -> a[i, j] * a[i, j]) (iota k))
      in a with [p, j] = s)) x
entry neighbour [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    loop a for j in 1..<k do
      let s = f64.sum (map (\i -> a[i, j] * a[i, j - 1]) (p..<k))
      in loop a for i in p..<k do a with [i, j] = a[i, j] - 0.1 * s)) x
entry next_column [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    loop a for j < k - 1 do
      let s = f64.sum (map (\i -> a[i, j] * a[i, j + 1]) (p..<k))
      in loop a for i in p..<k do a with [i, j] = a[i, j] - 0.1 * s * a[i, j])) x
entry second_sweep [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    let v = map (* 0.5) a[p]
    in step v 0 (step v 0 a))) x

entry two_arrays [n] (x: [n]f64) = agree (\x ->
  let k = order n
  let (a, b) = loop (a, b) = (square x, map (map f64.cos) (square x)) for p < k do
    loop (a, b) for j < k do
      let s = f64.sum (map (\i -> a[i, j] * b[j, i]) (p..<k))
      in loop (a, b) for i < k do
        (a with [i, j] = a[i, j] - 0.1 * s * a[i, j], b with [j, i] = b[j, i] * (1 - s))
  in weighted a + weighted b) x

entry in_map [n] (x: [n]f64) = agree (\x ->
  f64.sum (map (\c -> let a = map (map (* c)) (square x)
                      in weighted (loop a = copy a for p < order n do
                           let v = copy a[:, p]
                           in step v p a)) [0.5, 1.5])) x

-- What is stored is not there before the loop.
entry stored [n] (x: [n]f64) = agree (\x ->
  let k = order n
  in weighted (loop a = square x for p < k do
    loop a for j < k do
      let s = f64.exp (0.1 * a[p, j])
      let a[p, j] = s
      in loop a for i in p + 1..<k do a with [i, j] = a[i, j] * s)) x
