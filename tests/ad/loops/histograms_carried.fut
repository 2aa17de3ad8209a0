-- Histograms of pairs and in two dimensions that a loop adds to: with fewer elements than places, with
-- more, and with none.
-- ==
-- entry: pairs planes rows
-- input { 5i64 3i64 4i64 } output { true }
-- input { 3i64 7i64 4i64 } output { true }
-- input { 0i64 3i64 2i64 } output { true }
-- input { 4i64 4i64 0i64 } output { true }
def least (a: (f64, i64)) (b: (f64, i64)) : (f64, i64) =
  if a.0 < b.0 || (a.0 == b.0 && a.1 < b.1) then a else b

-- The nearest element of each place so far, with a general operator.
def nearest [n][k] (steps: i64) (xs: [n]f64) (cs: [k]f64) : f64 =
  let hs = loop hs = map (\c -> (c * c + 2, n)) cs for t < steps do
    let bins = map (\i -> (i * 5 + t) % (k + 1)) (iota n)
    let ds = map2 (\x b -> (x - cs[b % k]) ** 2 + 1 / f64.i64 (t + 1)) xs bins
    in reduce_by_index hs least (f64.highest, n) bins (zip ds (iota n))
  in f64.sum (map (\(d, i) -> d * f64.i64 (i + 1)) hs)

def products [n][k] (steps: i64) (xs: [n]f64) (cs: [k]f64) : f64 =
  let hs = loop hs = map (\c -> map (\d -> c + 0.5 * d) cs) cs for t < steps do
    let at = map (\i -> ((i * 5 + t) % (k + 1), (i + t) % k)) (iota n)
    let vs = map (\x -> 1 + 0.1 * x * hs[0, k - 1]) xs
    in reduce_by_index_2d hs (*) 1 at vs
  in f64.sum (map f64.sum hs)

def of_rows [n][k] (steps: i64) (xs: [n]f64) (cs: [k]f64) : f64 =
  let hs = loop hs = map (\c -> [c, 2 * c]) cs for t < steps do
    let bins = map (\i -> (i * 5 + t) % (k + 1)) (iota n)
    let vs = map (\x -> [x * hs[0, 1], x + hs[k - 1, 0]]) xs
    in reduce_by_index hs (map2 (\a b -> a + b - 0.1 * a * b)) [0, 0] bins vs
  in f64.sum (map f64.sum hs)

def near (a: f64) (b: f64) : bool = f64.abs (a - b) < 1e-5 * (1 + f64.abs b)

def holds (f: (n: i64) -> (k: i64) -> (steps: i64) -> [n]f64 -> [k]f64 -> f64)
          (n: i64) (k: i64) (steps: i64) : bool =
  let xs = map (\i -> f64.sin (f64.i64 i) + 0.1) (iota n)
  let cs = map (\i -> f64.cos (1.3 * f64.i64 i)) (iota k)
  let dx = map (\i -> f64.cos (f64.i64 i)) (iota n)
  let dc = map (\i -> f64.sin (f64.i64 i) + 0.3) (iota k)
  let along (h: f64) (v: f64) (d: f64) = v + h * d
  let at h = f n k steps (map2 (along h) xs dx) (map2 (along h) cs dc)
  let gradient h = vjp (\(xs, cs) -> f n k steps xs cs) (map2 (along h) xs dx, map2 (along h) cs dc) 1
  let slope h = let (gx, gc) = gradient h in f64.sum (map2 (*) gx dx) + f64.sum (map2 (*) gc dc)
  let (hx, hc) = jvp (\(xs, cs) -> vjp (\(xs, cs) -> f n k steps xs cs) (xs, cs) 1) (xs, cs) (dx, dc)
  let by g = (8 * (g 1e-4 - g (-1e-4)) - (g 2e-4 - g (-2e-4))) / 12e-4
  in near (slope 0) (by at) &&
     near (f64.sum (map2 (*) hx dx) + f64.sum (map2 (*) hc dc)) (by slope)

entry pairs = holds (\n k steps (xs: [n]f64) (cs: [k]f64) -> nearest steps xs cs)
entry planes = holds (\n k steps (xs: [n]f64) (cs: [k]f64) -> products steps xs cs)
entry rows = holds (\n k steps (xs: [n]f64) (cs: [k]f64) -> of_rows steps xs cs)
