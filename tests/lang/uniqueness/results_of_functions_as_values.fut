-- Results of lambdas that are new arrays alias nothing, wherever the lambda is: a definition, a part of
-- a record or tuple, the result of another function.
-- ==
-- entry: defined local_record curried destructured polymorphic
-- input { [1i64, 2i64] } output { [7i64, 3i64] [1i64, 2i64] }

-- ==
-- entry: captured
-- input { [1i64, 2i64] } output { [7i64, 4i64] [1i64, 2i64] }

def add = \(xs: []i64) -> map (+ 1) xs
def inside = let f = \xs -> map (+ 1i64) xs in f
def tools = {add, more = {inc = \(k: i64) (xs: []i64) -> map (+ k) xs}}

entry defined (xs: []i64) =
  let a = add xs
  let b = inside xs
  let c = tools.add xs
  let d = tools.more.inc 1 xs
  let a[0] = b[0] + c[0] + 3
  let d[0] = a[0]
  in (d, xs)

entry local_record (xs: []i64) =
  let r = {f = \ys -> map (+ 1i64) ys, k = 7i64}
  let a = r.f xs
  let a[0] = r.k
  in (a, xs)

def twice (f: []i64 -> i64) = \(xs: []i64) -> map (\x -> x + f xs - 2) xs

entry curried (xs: []i64) =
  let a = twice i64.sum xs
  let by k = \(ys: []i64) -> map (+ k) ys
  let b = by 1 xs
  let b[0] = a[0] + 5
  in (b, xs)

entry destructured (xs: []i64) =
  let (f, {g}) = (\ys -> map (+ 1i64) ys, {g = \(ys: []i64) -> copy ys})
  let a = f xs
  let b = g xs
  let b[0] = 7
  let a[0] = b[0]
  in (a, xs)

def ops 'a = {dup = \(xs: []a) -> map (\x -> x) xs}

entry polymorphic (xs: []i64) =
  let a = map (+ 1) (ops.dup xs)
  let b = ops.dup a
  let b[0] = 7
  in (b, xs)

entry captured (xs: []i64) =
  let pair = (\k -> map (* k) xs, length xs)
  let a = pair.0 2
  let a[0] = 7
  in (a, xs)
