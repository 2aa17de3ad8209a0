-- Each occurrence of a lifted type parameter has an unknown size of its own.
-- ==
-- entry: main
-- input { 1i64 2i64 } output { [0i64] [0i64, 1i64] }

-- ==
-- entry: filters
-- input { [1, 2, 3, 4, 5] } output { [1, 2, 3, 4, 5] [4, 5] }

-- ==
-- entry: three
-- input { 7 } output { [7] [7, 7] [7, 7, 7] }

-- ==
-- entry: shared
-- input { 1i64 3i64 } output { [0i64] [0i64, 2i64, 4i64] 4i64 }

-- ==
-- entry: paired
-- input { 1i64 3i64 } output { [1i64] [1i64, 3i64, 5i64] }

-- ==
-- entry: with_function
-- input { 1i64 2i64 } output { [0i64] [0i64, 1i64] 3i64 }

-- ==
-- entry: partial
-- input { 1i64 2i64 } output { [0i64] [0i64, 1i64] [0i64, 1i64, 2i64] }

-- ==
-- entry: in_loop
-- input { 3i64 } output { [0i64, 1i64] }

-- ==
-- entry: branches
-- input { true } output { [0i64, 1i64] }
-- input { false } output { [0i64, 1i64, 2i64] }

-- ==
-- entry: matrices
-- input { 2i64 3i64 } output { [[0i64, 1i64], [1i64, 2i64]] [[0i64, 1i64, 2i64], [1i64, 2i64, 3i64], [2i64, 3i64, 4i64]] }

-- ==
-- entry: known
-- input { [1, 2, 3] } output { [3, 6, 9] }

-- ==
-- entry: argument
-- input { [1, -2, 3] } output { [1, -2, 3] [1, 3] }

def ends '^a '^b (f: a -> b) (p: (a, a)) = {lo = f p.0, hi = f p.1}

entry main (n: i64) (m: i64) =
  let r = ends iota (n, m)
  in (r.lo, r.hi)

entry filters (xs: []i32) =
  let r = ends (\c -> filter (> c) xs) (0, 3)
  in (r.lo, r.hi)

def each '~b (f: i64 -> b) : (b, b, b) = (f 1, f 2, f 3)

entry three (x: i32) = each (\n -> replicate n x)

-- A function of its own, in memory.
#[noinline]
def twice '~b (f: i64 -> b) (n: i64) (m: i64) : (b, b) = (f n, f m)

entry shared (n: i64) (m: i64) =
  let (a, b) = twice (\k -> opaque (map (* 2) (iota k))) n m
  in (a, b, b[m - 1])

-- Two dimensions of one occurrence stay equal.
entry paired (n: i64) (m: i64) =
  let (p, q) = twice (\k -> let a = opaque (iota k) in {a, b = map (+ 1) a}) n m
  in (map2 (+) p.a p.b, map2 (+) q.a q.b)

entry with_function (n: i64) (m: i64) =
  let r = ends (\(k: i64) -> {f = \(x: i64) -> x + 1, xs = iota k}) (n, m)
  in (r.lo.xs, r.hi.xs, r.lo.f 2)

entry partial (n: i64) (m: i64) =
  let f = ends iota
  let r = f (n, m)
  in (r.lo, r.hi, (f (n, n + m)).hi)

def last_of '~b (f: i64 -> b) (n: i64) : b =
  loop x = f 0 for i < n do f i

entry in_loop (n: i64) = last_of iota n

def pick '~b (c: bool) (f: i64 -> b) : b = if c then f 2 else f 3

entry branches c = pick c iota

entry matrices (n: i64) (m: i64) =
  twice (\k -> tabulate_2d k k (+)) n m

-- A size that is not bound inside of the argument is shared by all occurrences.
entry known (xs: []i32) =
  let (a, b) = twice (\k -> map (* i32.i64 k) xs) 1 2
  in map2 (+) a b

def or_else '~a (x: a) (f: () -> a) = (x, f ())

entry argument (xs: []i32) = or_else xs (\() -> filter (> 0) xs)
