-- The Gini coefficient of weighted values: an order by rank in a merge of halves, found by binary
-- search, then scattered; weights move with values.
-- How many of xs[lo:hi], which is in order, come before v.
def rank (xs: []f64) (lo: i64) (hi: i64) (strict: bool) (v: f64) : i64 =
  let (a, _) =
    loop (a, b) = (lo, hi) while a < b do
      let m = (a + b) / 2
      in if xs[m] < v || (!strict && xs[m] == v) then (m + 1, b) else (a, m)
  in a - lo

def merge_pass [n] (width: i64) (xs: [n]f64) (is: [n]i64) : ([n]f64, [n]i64) =
  let place i =
    let block = i / (2 * width) * (2 * width)
    let middle = i64.min n (block + width)
    let end = i64.min n (block + 2 * width)
    in if i < middle
       then i + rank xs middle end true xs[i]
       else block + (i - middle) + rank xs block middle false xs[i]
  let to = map place (iota n)
  in (scatter (replicate n 0) to xs, scatter (replicate n 0) to is)

def order [n] (xs: [n]f64) : [n]i64 =
  let (_, is, _) =
    loop (xs, is, width) = (xs, iota n, 1) while width < n do
      let (xs, is) = merge_pass width xs is
      in (xs, is, 2 * width)
  in is

entry primal [n] (xs: [n]f64) (ws: [n]f64) : f64 =
  let is = order xs
  let x = map (\i -> xs[i]) is
  let w = map (\i -> ws[i]) is
  let before = map2 (-) (scan (+) 0 w) w
  let total = f64.sum w
  let mean = f64.sum (map2 (*) x w) / total
  let lorenz = f64.sum (map3 (\x w b -> x * w * (2 * b + w)) x w before)
  in lorenz / (total * total * mean) - 1

entry gradient [n] (xs: [n]f64) (ws: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(x, w) -> primal x w) (xs, ws) 1
