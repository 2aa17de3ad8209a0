-- Programs that are hard on reverse mode: what is overwritten, where, and how often is seen only
-- when they run.  Gradients should cost a few times the function at any size, as in algorithms.fut.
-- A row: name, the number of elements at the smallest size and k; or the order and 0.

-- In-place updates at computed places, in a nest.
-- row: places 16384 8
def places [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop a = copy x for i < n do
    loop a for j < k do
      let at = (i * 7 + j * j * 13 + 5) % n
      in a with [at] = f64.sin a[at] + 0.1 * a[(at + j) % n])

-- Updates of two arrays under a condition, read after they are written.
-- row: branches 65536 1
def branches [n] (x: [n]f64) (_k: i64) : f64 =
  let (a, b) = loop (a, b) = (copy x, copy x) for i in 1..<n do
    if (i * i + i / 3) % 5 < 3
    then let a[i] = a[i] * b[i - 1]
         in (a, b with [i] = a[i] + 0.5 * b[i])
    else (a, b with [i - 1] = 0.3 * a[i])
  in f64.sum a + f64.sum b

-- While loops inside of a map, of lengths that differ.
-- row: newton 16384 1
def newton [n] (x: [n]f64) (_k: i64) : f64 =
  f64.sum (map (\v -> (loop (y, i) = (v, 0i32) while i < 50 && f64.abs (y * y - v) > 1e-12 do
                        (0.5 * (y + v / y), i + 1)).0) x)

-- Scans of tuples: means and variances of prefixes, and a linear recurrence of order two.
-- row: moments 65536 1
def moments [n] (x: [n]f64) (_k: i64) : f64 =
  let op (n1, m1, s1) (n2, m2, s2) =
    let n = f64.max 1 (n1 + n2)
    let d = m2 - m1
    in (n1 + n2, (n1 * m1 + n2 * m2) / n, s1 + s2 + d * d * n1 * n2 / n)
  in f64.sum (map (\(n, m, s) -> m + s / n) (scan op (0, 0, 0) (map (\v -> (1, v, 0)) x)))
-- row: recurrence 65536 1
def recurrence [n] (x: [n]f64) (_k: i64) : f64 =
  let op (a, b, c, d, e, f) (p, q, r, s, t, u) =
    (p * a + q * c, p * b + q * d, r * a + s * c, r * b + s * d, p * e + q * f + t, r * e + s * f + u)
  let ys = scan op (1, 0, 0, 1, 0, 0) (map (\v -> (0.5 * v, 0.3, 1, 0, v, 0)) x)
  in f64.sum (map (.4) ys)

-- reduce_by_index with a general operator in a loop; and of pairs that depend on each other.
-- row: folded_bins 4096 64
def folded_bins [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop h = replicate k 0.1 for i < 16i64 do
    reduce_by_index h (\a b -> a + b + 0.01 * a * b) 0 (tabulate n (\j -> (j * 5 + i) % k))
                    (map (\v -> v * h[i % k] * 0.01) x))
-- row: rotations 65536 1024
def rotations [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (map (\(a, b) -> a + b)
    (hist (\(a, b) (c, d) -> (a * c - b * d, a * d + b * c)) (1, 0) k
          (tabulate n (\i -> i * 31 % k)) (map (\v -> (f64.cos v, f64.sin v)) x)))

-- Scatters of as many rows as there are, in a loop.
-- row: scatters 8192 32
def scatters [n] (x: [n]f64) (k: i64) : f64 =
  f64.sum (loop a = copy x for i < k do
    scatter a (tabulate n (\j -> (j * 3 + i) % n)) (map2 (\u v -> f64.sin u * v) a x))

-- Halves: loops over arrays that shrink; a tree of sums with what was in between.
-- row: halves 65536 1
def halves [n] (x: [n]f64) (_k: i64) : f64 =
  let (_, a) = loop (m, a) = (n, copy x) while m > 1 do
    let h = m / 2
    let a = loop a for i < h do a with [i] = a[2 * i] * 0.9 + f64.tanh a[2 * i + 1]
    in (h, a)
  in a[0]

-- A sorting network: compare and exchange at distances that differ.
-- row: network 4096 1
def network [n] (x: [n]f64) (_k: i64) : f64 =
  let d = i64.num_bits - i64.clz (n - 1) |> i64.i32
  let s = loop a = copy x for p < d do
    loop a for q < p + 1 do
      let step = 1 << (p - q)
      in map (\i -> let j = i ^ step
                    let up = (i >> (p + 1)) & 1 == 0
                    let (u, v) = (a[i], a[i64.min j (n - 1)])
                    in if (i < j) == up then f64.min u v else f64.max u v) (iota n)
  in f64.sum (map2 (*) s (map f64.i64 (iota n)))

-- A table of which two rows are kept, used in turn.
-- row: two_rows 512 1
def two_rows [n] (x: [n]f64) (_k: i64) : f64 =
  let t = loop t = replicate 2 (replicate (n + 1) 0) for i in 1...n do
    loop t for j in 1...n do
      t with [i % 2, j] = 0.4 * t[(i + 1) % 2, j] + 0.4 * t[i % 2, j - 1] + x[i - 1] * x[j - 1]
  in t[n % 2, n]

-- Accumulated sums of products at places that are read from an array.
-- row: sparse 65536 16
def sparse [n] (x: [n]f64) (k: i64) : f64 =
  let y = map (\i -> f64.sum (tabulate k (\j -> let c = (i * 17 + j * j * 29) % n
                                               in f64.sin x[c] * x[i]))) (iota n)
  in f64.sum (map (\v -> v * v) y)

-- Triangular solves: by rows in place, and by columns.
-- row: forward_rows 64 0
def forward_rows [n] (x: [n]f64) (k: i64) : f64 =
  let l = copy (unflatten (x[0:k * k] :> [k * k]f64))
  let y = loop y = tabulate k (\i -> l[i, 0]) for i < k do
    let s = loop s = y[i] for j < i do s - 0.1 * l[i, j] * y[j]
    in y with [i] = s / (2 + l[i, i])
  in f64.sum y
-- row: columns 64 0
def columns [n] (x: [n]f64) (k: i64) : f64 =
  let l = copy (unflatten (x[0:k * k] :> [k * k]f64))
  let y = loop y = tabulate k (\i -> l[i, 0]) for j < k do
    let y[j] = y[j] / (2 + l[j, j])
    in loop y for i in j + 1..<k do y with [i] = y[i] - 0.1 * l[i, j] * y[j]
  in f64.sum y

-- A gradient in a gradient: steps of descent.
-- row: descent 8192 8
def descent [n] (x: [n]f64) (k: i64) : f64 =
  let loss (w: [n]f64) = f64.sum (map2 (\a b -> f64.sin (a * b) + a * a) w x)
  in f64.sum (loop w = replicate n 0.5 for _i < k do
    map2 (\a g -> a - 0.1 * g) w (vjp loss w 1))

-- Rows swapped and scaled by what was found in them.
-- row: swaps 128 0
def swaps [n] (x: [n]f64) (k: i64) : f64 =
  let m = loop m = copy (unflatten (x[0:k * k] :> [k * k]f64)) for i < k - 1 do
    let q = i + 1 + (i * 7) % (k - 1 - i)
    let r = copy m[i]
    let m[i] = map (* (1 + 0.1 * r[i])) m[q]
    in m with [q] = r
  in f64.sum (flatten (map2 (\i -> map (* f64.i64 i)) (iota k) m))

-- Two arrays updated by a loop under a condition, at places that are read again afterwards.
-- row: entangled 16384 4
def entangled [n] (x: [n]f64) (k: i64) : f64 =
  let (a, b) = loop (a, b) = (copy x, copy x) for i < n do
    let at = (i * 5 + 3) % n
    in if i % 3 < 2
       then loop (a, b) for j < k do
         let u = a[at]
         let a[at] = 0.5 * u + 0.3 * u * b[(at + j) % n]
         in (a, b with [at] = 0.6 * b[at] * u + 0.2 * a[(at + 1) % n])
       else (a, b)
  in f64.sum a + f64.sum b

-- Insertion into a sorted part: a while loop of updates in a loop.
-- row: insertion 1024 1
def insertion [n] (x: [n]f64) (_k: i64) : f64 =
  let s = loop a = copy x for i in 1..<n do
    let v = a[i]
    let (a, j) = loop (a, j) = (a, i) while j > 0 && a[i64.max 0 (j - 1)] > v do
      (a with [j] = a[j - 1], j - 1)
    in a with [j] = v
  in f64.sum (map2 (\i v -> f64.i64 i * v * v) (iota n) s)

-- All shortest paths, softly: three loops, each cell overwritten in each round.
-- row: paths 32 0
def paths [n] (x: [n]f64) (k: i64) : f64 =
  let d = loop d = copy (unflatten (map (+ 2) x[0:k * k] :> [k * k]f64)) for p < k do
    loop d for i < k do
      loop d for j < k do
        let (u, w) = (d[i, j], d[i, p] + d[p, j])
        in d with [i, j] = if u < w then u else 0.9 * w + 0.1 * u
  in f64.sum (flatten d)

-- A transform in place, at strides that grow.
-- row: butterflies 16384 1
def butterflies [n] (x: [n]f64) (_k: i64) : f64 =
  let bits = i64.i32 (i64.num_bits - 1 - i64.clz n)
  let a = loop a = copy x for s < bits do
    let h = 1 << s
    in loop a for t < n / 2 do
      let i = (t / h) * 2 * h + t % h
      let (u, v) = (a[i], a[i + h])
      let a[i] = u + f64.cos u * v * 0.5
      in a with [i + h] = u - 0.5 * v
  in f64.sum a

-- Red and black cells of a grid in turn.
-- row: grid 64 0
def grid [n] (x: [n]f64) (k: i64) : f64 =
  let g = loop g = copy (unflatten (x[0:k * k] :> [k * k]f64)) for s < 8i64 do
    loop g for i in 1..<k - 1 do
      loop g for h < (k - 2) / 2 do
        let j = 1 + 2 * h + (i + s) % 2
        in g with [i, j] = 0.2 * (g[i - 1, j] + g[i + 1, j] + g[i, j - 1] + g[i, j + 1]) + 0.1 * g[i, j] * g[i, j]
  in f64.sum (flatten g)

-- A general reduction and a general scan of rows, in a loop.
-- row: folds 16384 16
def folds [n] (x: [n]f64) (k: i64) : f64 =
  let m = unflatten (x[0:(n / k) * k] :> [(n / k) * k]f64)
  let lse a b = let m = f64.max a b in m + f64.log (f64.exp (a - m) + f64.exp (b - m))
  let m = loop m for _i < 4i64 do
    map (\r -> let z = reduce lse (-f64.inf) r
               in map (\v -> 0.1 * v + 0.5 * z) (scan (\a b -> a + b + 0.1 * a * b) 0 (map (* 0.1) r))) m
  in f64.sum (flatten m)

-- Matrices carried by a loop: squared again and again, scaled.
-- row: squares 32 0
def squares [n] (x: [n]f64) (k: i64) : f64 =
  let m = loop m = unflatten (x[0:k * k] :> [k * k]f64) for _i < 6i64 do
    let p = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose m)) m
    let s = f64.sqrt (f64.sum (map (\v -> v * v) (flatten p)))
    in map (map (/ s)) p
  in f64.sum (flatten m)

-- A stack: pushed and popped as the elements say.
-- row: stack 65536 1
def stack [n] (x: [n]f64) (_k: i64) : f64 =
  let (s, top, acc) = loop (s, top, acc) = (replicate (n + 1) 0, 0i64, 0) for i < n do
    if (i * 7919) % 5 < 3 || top == 0
    then (s with [top] = x[i] * (1 + 0.01 * acc), top + 1, acc)
    else (s, top - 1, 0.99 * acc + s[top - 1] * x[i])
  in acc + f64.sum (take 16 s) * f64.i64 (top % 3)

-- Particles in cells: counted, placed by a scan, then gathered.
-- row: cells_of 65536 256
def cells_of [n] (x: [n]f64) (k: i64) : f64 =
  let cell = tabulate n (\i -> (i * 7919) % k)
  let mass = reduce_by_index (replicate k 0) (+) 0 cell (map (\v -> v * v) x)
  let far = scan (\(a, w) (b, u) -> (0.5 * a + b + 0.01 * w * u, w + u)) (0, 0) (map (\v -> (v, 1)) mass)
            |> map (.1)
  in f64.sum (map2 (\c v -> v * mass[c] / (1 + far[c])) cell x)

-- A branch that updates, read after; operations chosen by a match.
-- row: after_branch 16384 1
def after_branch [n] (x: [n]f64) (_k: i64) : f64 =
  let a = loop a = copy x for i in 1..<n do
    let a = if i % 3 < 2 then a with [i] = a[i - 1] * a[i] else a with [i - 1] = 0.5 * a[i]
    let u = f64.sin a[i - 1]
    in a with [(i * 7) % n] = u * a[i]
  in f64.sum a

-- row: ops 16384 1
type op = #add i64 | #mul i64 | #swap i64 i64 | #nop
def ops [n] (x: [n]f64) (_k: i64) : f64 =
  let a = loop a = copy x for i < n do
    let o : op = if i % 4 == 0 then #add ((i * 7) % n) else if i % 4 == 1 then #mul ((i * 3) % n)
            else if i % 4 == 2 then #swap i ((i * 5) % n) else #nop
    in match o
       case #add j -> a with [j] = a[j] + f64.sin a[i]
       case #mul j -> a with [j] = a[j] * (0.5 + 0.5 * a[i])
       case #swap p q -> let t = a[p] let a[p] = a[q] in a with [q] = t
       case #nop -> a
  in f64.sum (map2 (\i v -> v * f64.i64 (i % 5)) (iota n) a)

-- Records, of which parts are updated.
-- row: bodies 16384 1
def bodies [n] (x: [n]f64) (_k: i64) : f64 =
  let ps = map (\v -> {pos = v, vel = 0.1 * v, mass = 1.0}) x
  let ps = loop ps = copy ps for i < 4 * n do
    let j = (i * 17 + 5) % n
    let h = (j + 1) % n
    let p = ps[j]
    let q = ps[h]
    let f = p.mass * q.mass * (q.pos - p.pos)
    in ps with [j] = (p with vel = p.vel + 0.01 * f with pos = p.pos + 0.01 * p.vel)
  in f64.sum (map (\p -> p.pos * p.pos + p.vel) ps)

-- A binary heap: values sifted down by while loops.
-- row: heap 8192 1
def heap [n] (x: [n]f64) (_k: i64) : f64 =
  let a = loop a = copy x for t < n / 2 do
    let (a, _, _) = loop (a, i, go) = (a, n / 2 - 1 - t, true) while go && 2 * i + 1 < n do
      let l = 2 * i + 1
      let r = i64.min (l + 1) (n - 1)
      let m = if a[r] < a[l] then r else l
      in if a[m] < a[i]
         then let t = a[m] let a[m] = a[i] in (a with [i] = t * 1.01, m, true)
         else (a, i, false)
    in a
  in f64.sum (map2 (\i v -> f64.i64 (i % 7) * v * v) (iota n) a)

-- Union-find with weights: path halving in while loops.
-- row: unions 8192 1
def unions [n] (x: [n]f64) (_k: i64) : f64 =
  let find (p: *[n]i64) (w: *[n]f64) (i: i64) : (*[n]i64, *[n]f64, i64) =
    loop (p, w, i) while p[i] != i do
      let up = p[p[i]]
      let wi = w[i] * w[p[i]]
      let p[i] = up
      let w[i] = wi
      in (p, w, up)
  let (p, w, acc) = loop (p, w, acc) = (iota n, copy x, 0) for i < n do
    let (p, w, r) = find p w ((i * 31) % n)
    let (p, w, s) = find p w ((i * 17 + 7) % n)
    in if r == s then (p, w, acc + w[r])
       else let wr = w[r]
            let p[r] = s
            in (p, w with [s] = 0.9 * w[s] + 0.1 * wr, acc + wr * 0.1)
  in acc + f64.sum w + f64.i64 (p[0] % 2)

-- Alignment scores with a band, choices by branches.
-- row: align 128 0
def align [n] (x: [n]f64) (k: i64) : f64 =
  let t = loop t = replicate (k + 1) (replicate (k + 1) 0) for i in 1...k do
    loop t for j in 1...k do
      let s = x[(i - 1) * k + j - 1]
      let (u, l, d) = (t[i - 1, j] - 0.5, t[i, j - 1] - 0.5, t[i - 1, j - 1] + s)
      in if d >= u && d >= l then t with [i, j] = d
         else if u >= l then t with [i, j] = u else t with [i, j] = l * 0.99
  in t[k, k]

-- A queue of work that grows while it is done.
-- row: worklist 8192 1
def worklist [n] (x: [n]f64) (_k: i64) : f64 =
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
  in f64.sum v

-- Sparse elimination: rows of compressed entries, through a dense workspace.
-- row: sparse_lu 4096 8
def sparse_lu [n] (x: [n]f64) (k: i64) : f64 =
  let m = n / k
  let w = loop a = copy x for r in 1..<m do
    let (a, _) = loop (a, w) = (a, replicate k 0) for p < k - 1 do
      let q = (r * 13 + p * 7) % r
      let f = a[r * k + p] / (2 + a[q * k + p])
      let w[p] = f
      in (loop a for j in p..<k do a with [r * k + j] = a[r * k + j] - 0.1 * f * a[q * k + j], w)
    in a
  in f64.sum w

-- Scans and swaps of rows inside of a loop.
-- row: scanned 512 64
def scanned [n] (x: [n]f64) (k: i64) : f64 =
  let m = loop m = copy (unflatten (x[0:(n / k) * k] :> [(n / k) * k]f64)) for i < 64i64 do
    let r = i % (n / k)
    let row = scan (\a b -> a * 0.5 + b) 0 (map f64.sin m[r])
    let m[r] = row
    let q = (r + 1) % (n / k)
    in m with [q] = map2 (\a b -> a + 0.1 * b) m[q] row
  in f64.sum (flatten m)

-- Branches in loops in branches.
-- row: deep 8192 4
def deep [n] (x: [n]f64) (k: i64) : f64 =
  let a = loop a = copy x for i < n do
    if i % 2 == 0
    then loop a for j < k do
      if (i + j) % 3 == 0 then a with [(i + j) % n] = a[i] * 0.5 + a[(i + j) % n]
      else let a[i] = f64.sin a[i] in loop a for h < 2i64 do a with [(i * j + h) % n] = 0.9 * a[(i * j + h) % n] * a[i]
    else let v = a[i]
         in if v > 0.5 then a with [i] = v * v else a
  in f64.sum a

-- Bubbles: swaps of neighbours where they are out of order, for a number of rounds.
-- row: bubbles 8192 8
def bubbles [n] (x: [n]f64) (k: i64) : f64 =
  let a = loop a = copy x for _r < k do
    loop a for i < n - 1 do
      if a[i] > a[i + 1] then let t = a[i] let a[i] = a[i + 1] in a with [i + 1] = t * 0.999 else a
  in f64.sum (map2 (\i v -> f64.i64 (i % 11) * v) (iota n) a)

-- A cache that is filled on demand.
-- row: cached 16384 256
def cached [n] (x: [n]f64) (k: i64) : f64 =
  let (_, _, acc) = loop (have, c, acc) = (replicate k false, replicate k 0, 0) for i < n do
    let j = (i * i + 3 * i) % k
    let (have, c) = if have[j] then (have, c) else (have with [j] = true, c with [j] = f64.exp (0.1 * x[i]))
    in (have, c, acc * 0.99 + c[j] * x[i])
  in acc

-- Rotations of rows and columns, left out where an element is small; and of rows that become shorter.
-- row: skipping 24 0
def skipping [n] (x: [n]f64) (k: i64) : f64 =
  let a = tabulate_2d k k (\i j -> 0.5 * (x[i * k + j] + x[j * k + i]))
  let a = loop a for _sweep < 2i64 do
    loop a for p < k - 1 do
      loop a for q in p + 1..<k do
        if f64.abs a[p, q] < 1e-2 then a else
        let theta = (a[q, q] - a[p, p]) / (2 * a[p, q])
        let t = (if theta >= 0 then 1 else -1) / (f64.abs theta + f64.sqrt (theta * theta + 1))
        let c = 1 / f64.sqrt (t * t + 1)
        let s = t * c
        let a = loop a for i < k do
          let u = a[i, p]
          let v = a[i, q]
          let a[i, p] = c * u - s * v
          in a with [i, q] = s * u + c * v
        in loop a for i < k do
          let u = a[p, i]
          let v = a[q, i]
          let a[p, i] = c * u - s * v
          in a with [q, i] = s * u + c * v
  in f64.sum (tabulate k (\i -> a[i, i] * a[i, i] * a[i, i]))
-- row: givens 24 0
def givens [n] (x: [n]f64) (k: i64) : f64 =
  let a = tabulate_2d k k (\i j -> x[i * k + j])
  let a = loop a for p < k - 1 do
    loop a for q in p + 1..<k do
      if a[q, p] == 0 then a else
      let r = f64.sqrt (a[p, p] * a[p, p] + a[q, p] * a[q, p])
      let c = a[p, p] / r
      let s = a[q, p] / r
      in loop a for j < k - p do
        let u = a[p, p + j]
        let v = a[q, p + j]
        let a[p, p + j] = c * u + s * v
        in a with [q, p + j] = c * v - s * u
  in f64.sum (tabulate k (\i -> f64.abs a[i, i])) + a[0, k - 1]

-- Half of an array is replaced in every fourth iteration.
-- row: quarters 512 1
def quarters [n] (x: [n]f64) (_k: i64) : f64 =
  let m = n / 2
  let (a, _) = loop (a, i) = (copy x, 0i64) while i < n do
    let v = a[i]
    let a = if i % 4 != 2 then a
            else a with [:m] = map2 (\p q -> 0.7 * f64.sin (p + q * v)) a[:m] (a[n - m:] :> [m]f64)
    in (a, i + 1)
  in f64.sum (map2 (\i v -> f64.i64 (i % 11) * v) (iota n) a)

entry places_p [n] (x: [n]f64) (k: i64) = places x k
entry places_g [n] (x: [n]f64) (k: i64) = vjp (\y -> places y k) x 1
entry branches_p [n] (x: [n]f64) (k: i64) = branches x k
entry branches_g [n] (x: [n]f64) (k: i64) = vjp (\y -> branches y k) x 1
entry newton_p [n] (x: [n]f64) (k: i64) = newton x k
entry newton_g [n] (x: [n]f64) (k: i64) = vjp (\y -> newton y k) x 1
entry moments_p [n] (x: [n]f64) (k: i64) = moments x k
entry moments_g [n] (x: [n]f64) (k: i64) = vjp (\y -> moments y k) x 1
entry recurrence_p [n] (x: [n]f64) (k: i64) = recurrence x k
entry recurrence_g [n] (x: [n]f64) (k: i64) = vjp (\y -> recurrence y k) x 1
entry folded_bins_p [n] (x: [n]f64) (k: i64) = folded_bins x k
entry folded_bins_g [n] (x: [n]f64) (k: i64) = vjp (\y -> folded_bins y k) x 1
entry rotations_p [n] (x: [n]f64) (k: i64) = rotations x k
entry rotations_g [n] (x: [n]f64) (k: i64) = vjp (\y -> rotations y k) x 1
entry scatters_p [n] (x: [n]f64) (k: i64) = scatters x k
entry scatters_g [n] (x: [n]f64) (k: i64) = vjp (\y -> scatters y k) x 1
entry halves_p [n] (x: [n]f64) (k: i64) = halves x k
entry halves_g [n] (x: [n]f64) (k: i64) = vjp (\y -> halves y k) x 1
entry network_p [n] (x: [n]f64) (k: i64) = network x k
entry network_g [n] (x: [n]f64) (k: i64) = vjp (\y -> network y k) x 1
entry two_rows_p [n] (x: [n]f64) (k: i64) = two_rows x k
entry two_rows_g [n] (x: [n]f64) (k: i64) = vjp (\y -> two_rows y k) x 1
entry sparse_p [n] (x: [n]f64) (k: i64) = sparse x k
entry sparse_g [n] (x: [n]f64) (k: i64) = vjp (\y -> sparse y k) x 1
entry forward_rows_p [n] (x: [n]f64) (k: i64) = forward_rows x k
entry forward_rows_g [n] (x: [n]f64) (k: i64) = vjp (\y -> forward_rows y k) x 1
entry columns_p [n] (x: [n]f64) (k: i64) = columns x k
entry columns_g [n] (x: [n]f64) (k: i64) = vjp (\y -> columns y k) x 1
entry descent_p [n] (x: [n]f64) (k: i64) = descent x k
entry descent_g [n] (x: [n]f64) (k: i64) = vjp (\y -> descent y k) x 1
entry swaps_p [n] (x: [n]f64) (k: i64) = swaps x k
entry swaps_g [n] (x: [n]f64) (k: i64) = vjp (\y -> swaps y k) x 1
entry entangled_p [n] (x: [n]f64) (k: i64) = entangled x k
entry entangled_g [n] (x: [n]f64) (k: i64) = vjp (\y -> entangled y k) x 1
entry insertion_p [n] (x: [n]f64) (k: i64) = insertion x k
entry insertion_g [n] (x: [n]f64) (k: i64) = vjp (\y -> insertion y k) x 1
entry paths_p [n] (x: [n]f64) (k: i64) = paths x k
entry paths_g [n] (x: [n]f64) (k: i64) = vjp (\y -> paths y k) x 1
entry butterflies_p [n] (x: [n]f64) (k: i64) = butterflies x k
entry butterflies_g [n] (x: [n]f64) (k: i64) = vjp (\y -> butterflies y k) x 1
entry grid_p [n] (x: [n]f64) (k: i64) = grid x k
entry grid_g [n] (x: [n]f64) (k: i64) = vjp (\y -> grid y k) x 1
entry folds_p [n] (x: [n]f64) (k: i64) = folds x k
entry folds_g [n] (x: [n]f64) (k: i64) = vjp (\y -> folds y k) x 1
entry squares_p [n] (x: [n]f64) (k: i64) = squares x k
entry squares_g [n] (x: [n]f64) (k: i64) = vjp (\y -> squares y k) x 1
entry stack_p [n] (x: [n]f64) (k: i64) = stack x k
entry stack_g [n] (x: [n]f64) (k: i64) = vjp (\y -> stack y k) x 1
entry cells_of_p [n] (x: [n]f64) (k: i64) = cells_of x k
entry cells_of_g [n] (x: [n]f64) (k: i64) = vjp (\y -> cells_of y k) x 1
entry after_branch_p [n] (x: [n]f64) (k: i64) = after_branch x k
entry after_branch_g [n] (x: [n]f64) (k: i64) = vjp (\y -> after_branch y k) x 1
entry ops_p [n] (x: [n]f64) (k: i64) = ops x k
entry ops_g [n] (x: [n]f64) (k: i64) = vjp (\y -> ops y k) x 1
entry bodies_p [n] (x: [n]f64) (k: i64) = bodies x k
entry bodies_g [n] (x: [n]f64) (k: i64) = vjp (\y -> bodies y k) x 1
entry heap_p [n] (x: [n]f64) (k: i64) = heap x k
entry heap_g [n] (x: [n]f64) (k: i64) = vjp (\y -> heap y k) x 1
entry unions_p [n] (x: [n]f64) (k: i64) = unions x k
entry unions_g [n] (x: [n]f64) (k: i64) = vjp (\y -> unions y k) x 1
entry align_p [n] (x: [n]f64) (k: i64) = align x k
entry align_g [n] (x: [n]f64) (k: i64) = vjp (\y -> align y k) x 1
entry worklist_p [n] (x: [n]f64) (k: i64) = worklist x k
entry worklist_g [n] (x: [n]f64) (k: i64) = vjp (\y -> worklist y k) x 1
entry sparse_lu_p [n] (x: [n]f64) (k: i64) = sparse_lu x k
entry sparse_lu_g [n] (x: [n]f64) (k: i64) = vjp (\y -> sparse_lu y k) x 1
entry scanned_p [n] (x: [n]f64) (k: i64) = scanned x k
entry scanned_g [n] (x: [n]f64) (k: i64) = vjp (\y -> scanned y k) x 1
entry deep_p [n] (x: [n]f64) (k: i64) = deep x k
entry deep_g [n] (x: [n]f64) (k: i64) = vjp (\y -> deep y k) x 1
entry bubbles_p [n] (x: [n]f64) (k: i64) = bubbles x k
entry bubbles_g [n] (x: [n]f64) (k: i64) = vjp (\y -> bubbles y k) x 1
entry cached_p [n] (x: [n]f64) (k: i64) = cached x k
entry cached_g [n] (x: [n]f64) (k: i64) = vjp (\y -> cached y k) x 1
entry skipping_p [n] (x: [n]f64) (k: i64) = skipping x k
entry skipping_g [n] (x: [n]f64) (k: i64) = vjp (\y -> skipping y k) x 1
entry givens_p [n] (x: [n]f64) (k: i64) = givens x k
entry givens_g [n] (x: [n]f64) (k: i64) = vjp (\y -> givens y k) x 1
entry quarters_p [n] (x: [n]f64) (k: i64) = quarters x k
entry quarters_g [n] (x: [n]f64) (k: i64) = vjp (\y -> quarters y k) x 1
