-- Loops that update arrays in branches, by loops of their own: eliminations that are skipped where an
-- element is small.  What these read is kept where the branch is taken (src/ad/vjp_save.c,
-- src/ad/vjp_values.c).  Reverse mode agrees with forward mode and with differences, and so do
-- products with Hessians: branches never taken, always, and sometimes; orders 0 to 17.
-- ==
-- entry: rotations inverted apart rounds vectors givens skips columns nested numbers bounds chosen carried later
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 3i64 } output { true }
-- input { 17i64 } output { true }

def dot [n] (a: [n]f64) (b: [n]f64) = f64.sum (map2 (*) a b)
def close (tol: f64) (a: f64) (b: f64) = f64.abs (a - b) <= tol * (1 + f64.abs a + f64.abs b)
def along [n] (h: f64) (d: [n]f64) (x: [n]f64) = map2 (\d x -> x + h * d) d x
-- Of a function whose branches depend on a limit: never, always, sometimes.
def always_right (f: (n: i64) -> (limit: f64) -> [n]f64 -> f64)
                 (right: (n: i64) -> ([n]f64 -> f64) -> [n]f64 -> [n]f64 -> bool) (k: i64) : bool =
  let n = k * k
  let x = map (\i -> f64.sin (f64.i64 (i * i * 7 + i * 3) * 0.37 + 0.2)) (iota n)
  let ds = map (\r -> map (\i -> f64.cos (f64.i64 (i * (r + 3)) * 1.3 + f64.i64 r)) (iota n)) (iota 3)
  in and (map (\limit -> and (map (right n (f n limit) x) ds)) [f64.highest, -1, 0.3])
def agrees (f: (n: i64) -> (limit: f64) -> [n]f64 -> f64) =
  always_right f (\_ f x d ->
    let h = 1e-6
    let forward = jvp f x d
    in close 1e-9 (dot (vjp f x 1) d) forward &&
       close 2e-4 forward ((f (along h d x) - f (along (-h) d x)) / (2 * h)))
def agrees_twice (f: (n: i64) -> (limit: f64) -> [n]f64 -> f64) (k: i64) : bool =
  agrees f k && always_right f (\_ f x d ->
    let second = jvp (\y -> vjp f y 1) x d
    let second' = vjp (\y -> jvp f y d) x 1
    in and (map2 (close 1e-8) second second')) k

def matrix [n] (k: i64) (x: [n]f64) : *[k][k]f64 = copy (unflatten (x :> [k * k]f64))
def order (n: i64) = i64.f64 (f64.round (f64.sqrt (f64.i64 n)))
def symmetric [n] (x: [n]f64) =
  let k = order n
  let m = matrix k x
  in tabulate_2d k k (\i j -> m[i, j] + m[j, i] + if i == j then f64.i64 (3 * i) else 0)
def steep [n] (x: [n]f64) =
  let k = order n
  let m = matrix k x in tabulate_2d k k (\i j -> m[i, j] + if i == j then 4 + f64.i64 i else 0)
def angle [k] (a: [k][k]f64) (p: i64) (q: i64) =
  let theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
  let t = (if theta >= 0 then 1 else -1) / (f64.abs theta + f64.sqrt (theta * theta + 1))
  let c = 1 / f64.sqrt (t * t + 1)
  in (c, t * c)
def rotate_columns [k] (a: *[k][k]f64) (p: i64) (q: i64) (c: f64) (s: f64) : *[k][k]f64 =
  loop a for i < k do
    let u = a[i, p]
    let v = a[i, q]
    let a[i, p] = c * u - s * v
    in a with [i, q] = s * u + c * v
def rotate_rows [k] (a: *[k][k]f64) (p: i64) (q: i64) (c: f64) (s: f64) : *[k][k]f64 =
  loop a for i < k do
    let u = a[p, i]
    let v = a[q, i]
    let a[p, i] = c * u - s * v
    in a with [q, i] = s * u + c * v
def rotate_both [k] (a: *[k][k]f64) (p: i64) (q: i64) : *[k][k]f64 =
  let (c, s) = angle a p q in rotate_rows (rotate_columns a p q c s) p q c s
def weigh [k] (a: [k][k]f64) =
  f64.sum (map2 (\i r -> f64.sum (map2 (\j v -> v * v * f64.cos (f64.i64 (i + 2 * j)) + v) (iota k) r)) (iota k) a)

entry rotations = agrees_twice (\_ limit x ->
  let a = copy (symmetric x)
  let k = length a
  in weigh (loop a for _sweep < 2i32 do
    loop a for p < k - 1 do
      loop a for q in p + 1..<k do
        if f64.abs a[p, q] <= limit then a else rotate_both a p q))

entry inverted = agrees (\_ limit x ->
  let a = copy (symmetric x)
  let k = length a
  in weigh (loop a for p < k do
      loop a for q < k do
        if p < q && f64.abs a[p, q] > limit then rotate_both a p q else a))

-- Each half in a branch of its own, with an operation in between.
entry apart = agrees (\_ limit x ->
  let a = copy (symmetric x)
  let k = length a
  in weigh (loop a for p < k - 1 do
      loop a for q in p + 1..<k do
        let (c, s) = angle a p q
        let a = if f64.abs a[p, q] > limit then rotate_columns a p q c s else a
        let a[p, p] = f64.sin a[p, p]
        in if f64.abs a[q, q] > limit then rotate_rows a q p s c else rotate_rows a p q c s))

-- In a while loop, with integers beside.
entry rounds = agrees (\_ limit x ->
  let a = copy (symmetric x)
  let k = length a
  let (a, counts, _) = loop (a, counts, left) = (a, replicate k 0i64, 2) while left > 0i32 do
    let (a, counts) = loop (a, counts) for p < k - 1 do
      loop (a, counts) for q in p + 1..<k do
        if f64.abs a[p, q] <= limit then (a, counts)
        else (rotate_both a p q, counts with [p] = counts[p] + 1)
    in (a, counts, left - 1)
  in weigh a + f64.i64 (i64.sum counts))

-- Two arrays.
entry vectors = agrees (\_ limit x ->
  let a = copy (symmetric x)
  let k = length a
  let w = tabulate_2d k k (\i j -> if i == j then 1f64 else 0)
  let (a, w) = loop (a, w) for p < k - 1 do
    loop (a, w) for q in p + 1..<k do
      if f64.abs a[p, q] <= limit then (a, w) else
      let (c, s) = angle a p q
      in (rotate_both a p q, rotate_rows w p q c s)
  in weigh a + weigh w)

-- Bounds that depend on loops around, and on numbers of the branch.
entry givens = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k - 1 do
    loop a for q in p + 1..<k do
      if f64.abs a[q, p] <= limit then a else
      let r = f64.sqrt (a[p, p] * a[p, p] + a[q, p] * a[q, p])
      let c = a[p, p] / r
      let s = a[q, p] / r
      in loop a for j < k - p do
        let u = a[p, p + j]
        let v = a[q, p + j]
        let a[p, p + j] = c * u + s * v
        in a with [q, p + j] = c * v - s * u))

entry skips = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k - 1 do
    loop a for q in p + 1..<k do
      let f = a[q, p] / a[p, p]
      in if f64.abs f <= limit then a else
         loop a for j in p..<k do a with [q, j] = a[q, j] - f * f64.sin a[p, j]))

entry columns = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k - 1 do
    loop a for q in p + 1..<k do
      let f = a[p, q] / a[p, p]
      in if f64.abs f <= limit then a else
         let a[p, q] = f
         in loop a for j in p + 1..<k do a with [j, q] = a[j, q] * f64.cos (f * a[j, p])))

-- Branches and loops in branches.
entry nested = agrees_twice (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k do
    loop a for q < k do
      if f64.abs a[q, p] <= limit then a with [p, q] = f64.sin a[p, q] else
      let f = a[q, p] * 0.3
      let a = loop a for i < k / 2 do
        let g = a[i, q] * f
        in if g > 0 then loop a for j < i + 1 do
             let v = a[j, q]
             in a with [j, q] = v * f64.exp (-v * v) + g * v * 0.1
           else a with [i, p] = g * g
      in if a[p, q] > 0
         then let w = a[p, p] in a with [p, p] = f64.sin w + w * a[p, q]
         else a))

-- Numbers alone.
entry numbers = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k - 1 do
    loop a for q < k do
      if f64.abs a[p, q] <= limit then a with [p + 1, q] = a[p + 1, q] * a[p, q]
      else let u = a[p, q] * a[p + 1, q]
           let v = f64.sin u
           in a with [p, q] = v * u * a[p, 0]))

-- A while loop in the branch.
entry bounds = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k do
    loop a for q in p..<k do
      if f64.abs a[p, q] <= limit then a else
      let (a, _) = loop (a, j) = (a, p) while j < k && a[j, q] * a[j, q] < 20 do
        let u = a[j, q]
        in (a with [j, q] = u * u * 0.5 + f64.sin u, j + 1 + q % 2)
      in a))

-- Both branches are loops.
entry chosen = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  in weigh (loop a for p < k - 1 do
    loop a for q in p + 1..<k do
      if f64.abs a[p, q] <= limit
      then loop a for j < q do a with [j, p] = f64.sin a[j, p] * a[j, q]
      else loop a for j in p..<k do a with [q, j] = f64.cos a[q, j] + a[p, j] * a[p, j] * 0.1))

-- The branch also gives numbers.
entry carried = agrees_twice (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  let (a, s, t) = loop (a, s, t) = (a, 1, 0i64) for p < k - 1 do
    loop (a, s, t) for q in p + 1..<k do
      if f64.abs a[p, q] <= limit then (a, s, t + q)
      else let w = a[p, p] * 0.2
           let a = loop a for j in p..<k do a with [q, j] = f64.sin a[q, j] * s + w * a[p, j]
           in (a, f64.cos s + w * w, t + 1)
  in weigh a * s + f64.i64 t)

-- The array is read as a whole after the branch.
entry later = agrees (\_ limit x ->
  let a = copy (steep x)
  let k = length a
  let (a, s) = loop (a, s) = (a, 0) for p < k - 1 do
    loop (a, s) for q in p + 1..<k do
      let a = if f64.abs a[p, q] <= limit then a
              else loop a for j in p..<k do a with [q, j] = f64.sin a[q, j] + a[p, j] * a[q, p] * 0.1
      in (a, s + f64.sum (map2 (\u v -> u * u * v) a[p] a[q]))
  in weigh a + s)
