-- Each occurrence of a lifted parameter has its own unknown size: in records, curried, in modules.
-- ==
-- entry: nested
-- input { [1, 2, 3, 4] } output { [3, 4] [1, 2, 3, 4] 2i64 4i64 }

-- ==
-- entry: curried
-- input { 2i64 } output { [0i64, 1i64] [0i64, 1i64, 2i64] }

-- ==
-- entry: in_module
-- input { [5, 6, 7] } output { 3i64 1i64 }

-- ==
-- entry: sumtype
-- input { [1, 2, 3] } output { 2i64 0i64 }

-- ==
-- entry: shared
-- input { [1, 2, 3] } output { [3, 5, 7] }

-- ==
-- entry: twodim
-- input { 2i64 3i64 } output { 2i64 4i64 3i64 9i64 }

def both '^a '~b (f: a -> b) (x: a) (y: a) : {l: {v: b}, r: (i32, b)} = {l = {v = f x}, r = (0, f y)}

entry nested (xs: []i32) =
  let r = both (\c -> filter (> c) xs) 2 0
  in (r.l.v, r.r.1, length r.l.v, length r.r.1)

def twice '~b (f: i64 -> b) : i64 -> (b, b) = \n -> (f n, f (n + 1))

entry curried (n: i64) = twice iota n

module pairs = {
  def dup '^a '^b (f: a -> b) (g: a -> b) (x: a) = (f x, g x)
}

entry in_module (xs: []i32) =
  let (a, b) = pairs.dup (\p -> filter p xs) (\p -> filter (\x -> !(p x) || x == 7) xs) (> 0)
  in (length a, length b)

def choose '~b (f: i32 -> b) (c: bool) : #some b | #none = if c then #some (f 1) else #none

entry sumtype (xs: []i32) =
  let n = match choose (\k -> filter (> k) xs) true case #some ys -> length ys case #none -> 0
  let m = match choose (\k -> filter (> k) xs) false case #some ys -> length ys case #none -> 0
  in (n, m)

-- not bound inside: all occurrences share the size
entry shared [n] (xs: [n]i32) =
  let r = both (\c -> map (+ c) xs) 1 0
  in map2 (+) r.l.v r.r.1

entry twodim (n: i64) (m: i64) =
  let sq k = replicate k (iota k)
  let r = both sq n m
  in (length r.l.v, length (flatten r.l.v), length r.r.1, length (flatten r.r.1))

