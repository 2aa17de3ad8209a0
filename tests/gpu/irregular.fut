-- Rows of very different lengths: reductions and accumulations by small and by large blocks of threads.
-- ==
-- entry: main
-- input { 300i64 50i64 4i64 } output { true }
-- input { 20i64 3000i64 3i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 7i64 9i64 0i64 } output { true }
def value [z] (xs: [z]f64) (from: i64) (to: i64) (f: f64) : f64 =
  f64.sum (map (\x -> x * f * f - x) xs[from:to])

def least [z][k] (xs: [z]f64) (starts: []i64) (fs: [k]f64) (i: i64) : f64 =
  f64.minimum (map (value xs starts[i] starts[i + 1]) fs)

entry main (rows: i64) (d: i64) (k: i64) : bool =
  let lengths = map (\i -> (i * 7919) % d) (iota rows)
  let starts = [0] ++ scan (+) 0 lengths
  let xs = map (\i -> f64.i64 (i * 31 % 17 - 3)) (iota (last starts))
  let fs = map (\j -> f64.i64 (3 - j)) (iota k)
  let all = map (least xs starts fs) (iota rows)
  let gradient = vjp (\fs -> f64.sum (map (least xs starts fs) (iota rows))) fs 1
  let sum i f = #[sequential] loop s = 0 for j in starts[i]..<starts[i + 1] do s + xs[j] * f * f - xs[j]
  let one i = loop m = f64.inf for j < k do f64.min m (sum i fs[j])
  let by_hand = loop g = replicate k 0 for i < rows do
                  let best = loop b = 0 for j < k do if sum i fs[j] < sum i fs[b] then j else b
                  let total = #[sequential] loop s = 0 for j in starts[i]..<starts[i + 1] do s + xs[j]
                  in if k == 0 then g else g with [best] = g[best] + 2 * fs[best] * total
  in and (map2 (\i a -> a == one i) (iota rows) all) && and (map2 (==) gradient by_hand)
