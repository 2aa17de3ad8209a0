-- Branches of loops that update slices: what they overwrite is kept where they are taken
-- (src/ad/vjp_steps.c, Note [Rows of branches]).  Reverse mode agrees with forward mode and with
-- differences, and so do products with Hessians; branches never taken, always, sometimes, at the end.
-- ==
-- entry: halves counted data two rare rows strided scattered nested whole inside mapped
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 3i64 } output { true }
-- input { 17i64 } output { true }
-- input { 50i64 } output { true }

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def close (tol: f64) (a: f64) (b: f64) = f64.abs (a - b) <= tol * (1 + f64.abs a + f64.abs b)
def along [n] (h: f64) (d: [n]f64) (x: [n]f64) = map2 (\d x -> x + h * d) d x
type when = #never | #always | #some | #late
def taken (w: when) (n: i64) (i: i64) =
  match w
  case #never -> false
  case #always -> true
  case #some -> i % 4 == 2
  case #late -> 10 * i > 9 * n
def always_right (f: (n: i64) -> when -> [n]f64 -> f64)
                 (right: (n: i64) -> ([n]f64 -> f64) -> [n]f64 -> [n]f64 -> bool) (n: i64) : bool =
  let x = map (\i -> f64.sin (f64.i64 (i * i * 7 + i * 3) * 0.37 + 0.2)) (iota n)
  let ds = map (\r -> map (\i -> f64.cos (f64.i64 (i * (r + 3)) * 1.3 + f64.i64 r)) (iota n)) (iota 3)
  let at w = and (map (right n (f n w) x) ds)
  in and (map (\i -> at (if i == 0 then #never else if i == 1 then #always else if i == 2 then #some else #late))
              (iota 4))
def agrees (f: (n: i64) -> when -> [n]f64 -> f64) =
  always_right f (\_ f x d ->
    let h = 1e-6
    let forward = jvp f x d
    in close 1e-9 (dot (vjp f x 1) d) forward &&
       close 2e-4 forward ((f (along h d x) - f (along (-h) d x)) / (2 * h)))
def agrees_twice (f: (n: i64) -> when -> [n]f64 -> f64) (k: i64) : bool =
  agrees f k && always_right f (\_ f x d ->
    let second = jvp (\y -> vjp f y 1) x d
    let second' = vjp (\y -> jvp f y d) x 1
    in and (map2 (close 1e-8) second second')) k
def weigh [n] (a: [n]f64) = f64.sum (map2 (\i v -> f64.i64 (i % 11) * v * f64.cos v) (iota n) a)
def mixed [m] (v: f64) (a: [m]f64) (b: [m]f64) = map2 (\p q -> 0.7 * f64.sin (p + q * v)) a b

entry halves = agrees_twice (\n w x ->
  let m = n / 2
  in weigh (loop (a, i) = (copy x, 0) while i < n do
    let v = a[i]
    let a = if taken w n i then a with [:m] = mixed v a[:m] (a[n - m:] :> [m]f64) else a
    in (a, i + 1)).0)

entry counted = agrees (\n w x ->
  let m = n / 2
  in weigh (loop a = copy x for i < n do
    if !(taken w n i) then a with [i] = f64.sin a[i]
    else a with [:m] = mixed a[i] a[:m] (a[n - m:] :> [m]f64)))

-- How often the loop runs depends on the array, and so does the branch.
entry data = agrees (\n w x ->
  let m = n / 2
  in weigh (loop (a, i, t) = (copy x, 0, 0) while i < n && t < 20 do
    let v = a[i]
    let a = if taken w n i || v > 0.9 then a with [m:] = map (\p -> p * f64.cos (v + p)) a[m:]
            else a with [i] = f64.sin v + 0.3
    in (a, i + 1, t + f64.abs a[i])).0)

-- Two arrays, and one of integers, in one branch; another one updates a part of them.
entry two = agrees (\n w x ->
  let m = n / 2
  let (a, b, c, _) = loop (a, b, c, i) = (copy x, copy x, replicate n 0i64, 0i64) while i < n do
    let v = a[i] * b[n - 1 - i]
    let (a, b, c) = if !(taken w n i) then (a, b, c)
      else (a with [:m] = mixed v a[:m] (b[n - m:] :> [m]f64),
            b with [m:] = map (\u -> f64.cos (u * v)) b[m:], c with [:m] = map (+ 1) c[:m])
    let b = if i % 3 == 0 then b with [:m] = mixed v b[:m] a[:m] else b
    in (a, b, c, i + 1)
  in weigh a + weigh b + f64.i64 (i64.sum c))

-- A loop over all of it.
entry rare = agrees (\n w x ->
  weigh (loop (a, i) = (copy x, 0i64) while i < n do
    let v = a[i]
    let a = if taken w n i then loop a for j < n do a with [j] = a[j] * f64.cos (a[(j + i) % n] * v) else a
    in (a, i + 1)).0)

entry rows = agrees (\n w x ->
  let m = tabulate_2d 3 n (\i j -> x[j] * f64.i64 (i + 1))
  let a = loop a = copy m for i < 10 * n do
    if taken w n (i / 10) then a with [i % 3] = mixed 0.5 a[i % 3] a[(i + 1) % 3] else a
  in weigh (flatten a))

entry strided = agrees (\n w x ->
  let m = n / 2
  in weigh (loop (a, i) = (copy x, 0i64) while i < n do
    let v = a[i]
    let a = if taken w n i then a with [0:2 * m:2] = mixed v (a[0:2 * m:2] :> [m]f64) (a[:m])
            else a with [n - m:] = map (\u -> f64.sin (u * v)) a[n - m:]
    in (a, i + 1)).0)

entry scattered = agrees (\n w x ->
  let m = n / 2
  in weigh (loop (a, i) = (copy x, 0i64) while i < n do
    let v = a[i]
    let vs = map (\j -> f64.sin (a[j] * v)) (iota m)
    let a = if taken w n i then scatter a (map (\j -> (j * 2 + i) % n) (iota m)) vs else a
    in (a, i + 1)).0)

entry nested = agrees_twice (\n w x ->
  let m = n / 2
  in weigh (loop (a, i) = (copy x, 0i64) while i < n do
    let v = a[i]
    let a = if taken w n i
            then let a = if v > 0 then a with [:m] = mixed v a[:m] (a[n - m:] :> [m]f64) else a with [i] = v * v
                 in a with [n - 1 - i] = a[i] * a[n - 1 - i]
            else if v < 0.3 then a with [m:] = map (* v) a[m:] else a
    in (a, i + 1)).0)

-- All of the array is replaced.
entry whole = agrees (\n w x ->
  let a = loop a = copy x for i < n do
    let v = a[i]
    in if taken w n i then a with [:] = map (\u -> f64.sin (u + v)) a else a with [i] = v * v
  in weigh a)

-- In a loop, of which the rows are all kept.
entry inside = agrees (\n w x ->
  let m = n / 2
  in weigh (loop a = copy x for r < 2i64 do
    loop a for i < n do
      let v = a[i]
      in if taken w n i then a with [:m] = mixed v a[:m] (a[n - m:] :> [m]f64) else a with [r % n] = a[r % n] * v))

entry mapped = agrees (\n w x ->
  let m = n / 2
  let one s = weigh (loop (a, i) = (map (* s) x, 0) while i < n do
    let v = a[i]
    let a = if taken w n i then a with [:m] = mixed v a[:m] (a[n - m:] :> [m]f64) else a
    in (a, i + 1 + i64.bool (v > 0.8))).0
  in f64.sum (map one [1, 0.5, -0.3]))
