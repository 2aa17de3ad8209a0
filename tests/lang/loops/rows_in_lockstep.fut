-- Maps whose rows go through loops of their own, as strips of rows do them together, against the
-- same row by row.
def step [d] (w: [d][d]f64) (b: [d]f64) (h: [d]f64) : [d]f64 =
  map2 (\row c -> f64.tanh (c + f64.sum (map2 (*) row h))) w b

def weights (d: i64) : [d][d]f64 =
  tabulate_2d d d (\i j -> f64.cos (f64.i64 (3 * i + 5 * j)) / f64.i64 d)

def rows (n: i64) (d: i64) : [n][d]f64 = tabulate_2d n d (\i j -> f64.sin (f64.i64 (i * d + j)))

-- The rows one after the other.
def in_turn [n][d] 'a (none: a) (f: [d]f64 -> a) (xs: [n][d]f64) : [n]a =
  loop out = replicate n (copy none) for i < n do
    out with [i] = copy (f xs[i])

def same [n] (a: [n]f64) (b: [n]f64) : bool = and (map2 (\x y -> f64.abs (x - y) <= 1e-12) a b)

-- A state that is an array, with a sum beside it, and one weight for all that is chosen by a branch.
entry states (n: i64) (d: i64) : bool =
  let w = weights d
  let f x =
    let (h, s) =
      loop (h, s) = (x, 0) for i < 7 do
        let h = if i % 2 == 0 then step w (replicate d 0.1) h else map (\v -> v + 1 / 8) h
        in (h, s + h[i % d] * f64.i64 i)
    in s + f64.sum h
  in same (map f (rows n d)) (in_turn 0 f (rows n d))

-- States that are updated in place, joined, turned and made of elements.
entry updated (n: i64) (d: i64) : bool =
  let w = weights d
  let f (x: [d]f64) =
    let h =
      loop h = copy x for i < 6 do
        let v = copy (step w (concat [h[1], h[0], 0.5] x[3:] :> [d]f64) (reverse h))
        let h = h with [i % d] = v[0] - h[i % d]
        let pair = transpose [h, v]
        in map f64.sum pair
    let both = concat h [x[0], x[1]]
    in f64.sum (map2 (*) both (map f64.i64 (indices both)))
  in same (map f (rows n d)) (in_turn 0 f (rows n d))

-- Places that differ from row to row.
entry looked_up (n: i64) (d: i64) : bool =
  let w = weights d
  let table = map (\i -> f64.i64 (i * i)) (iota 11)
  let f (x: [d]f64) =
    loop h = x for i < 5 do
      let k = i64.f64 (f64.abs h[i % d] * 7) % 11
      in map (+ table[k] / 100) (step w (replicate d 0) h)
  let total h = f64.sum h
  in same (map (\x -> total (f x)) (rows n d)) (in_turn 0 (\x -> total (f x)) (rows n d))

-- One row reads where there is nothing.
entry out_of_bounds (n: i64) (d: i64) (bad: i64) : f64 =
  let w = weights d
  let f (i: i64) (x: [d]f64) =
    loop h = x for j < 4 do
      let at = if i == bad && j == 2 then d else j % d
      in map (+ h[at]) (step w (replicate d 0) h)
  in f64.sum (flatten (map2 f (iota n) (rows n d)))

-- Derivatives by what rows share and by what is their own.
entry derivatives (n: i64) (d: i64) : bool =
  let x = rows n d
  let row w b x = f64.sum (loop h = x for _i < 6 do step w b h)
  let batch (w, b, x) = f64.sum (map (row w b) x)
  let (gw, gb, gx) = vjp batch (weights d, replicate d 0.1, x) 1
  let (sw, sb, sx) =
    loop (sw, sb, sx) = (replicate d (replicate d 0), replicate d 0, replicate n (replicate d 0)) for i < n do
      let (gw, gb, gx) = vjp (\(w, b, x) -> row w b x) (weights d, replicate d 0.1, x[i]) 1
      in (map2 (map2 (+)) sw gw, map2 (+) sb gb, sx with [i] = gx)
  let along = jvp batch (weights d, replicate d 0.1, x) (weights d, replicate d 1, x)
  let dot = f64.sum (map2 (*) (flatten gw) (flatten (weights d))) + f64.sum gb
            + f64.sum (map2 (*) (flatten gx) (flatten x))
  in same (flatten gw) (flatten sw) && same gb sb && same (flatten gx) (flatten sx)
     && f64.abs (along - dot) <= 1e-9 * (1 + f64.abs dot)
-- ==
-- entry: states updated looked_up derivatives
-- input { 0i64 4i64 } output { true }
-- input { 1i64 4i64 } output { true }
-- input { 31i64 4i64 } output { true }
-- input { 32i64 4i64 } output { true }
-- input { 70i64 4i64 } output { true }
-- input { 40i64 9i64 } output { true }

-- ==
-- entry: out_of_bounds
-- input { 70i64 3i64 40i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 70i64 3i64 69i64 } error: Index \[3\] out of bounds for array of shape \[3\]
-- input { 20i64 3i64 0i64 } error: Index \[3\] out of bounds for array of shape \[3\]
