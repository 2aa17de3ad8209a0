-- Sizes are matched by their structure as written; only then without regard to how sums and products
-- are put together.
-- ==
-- entry: main
-- input { 2i64 3i64 4i64 } output { 2i64 12i64 }

-- ==
-- entry: left
-- input { 2i64 3i64 4i64 } output { 6i64 4i64 }

-- ==
-- entry: parts
-- input { [1] [2, 3] [4] } output { [1] [2, 3, 4] }

-- ==
-- entry: named
-- input { 2i64 3i64 4i64 } output { 2i64 12i64 }

-- ==
-- entry: deep
-- input { 2i64 3i64 4i64 } output { 2i64 3i64 4i64 }

-- ==
-- entry: regrouped
-- input { [1] [2, 3] [4] } output { [1, 2] }

-- ==
-- entry: difference
-- input { [1, 2, 3, 4] } output { [1] [2, 3] }

-- ==
-- entry: in_type
-- input { [[[1, 2], [3, 4], [5, 6]]] } output { [[1, 2, 3, 4, 5, 6]] }

entry main (n: i64) (m: i64) (k: i64) =
  let a = unflatten (iota (n * (m * k)))
  in (length a, length a[0])

entry left (n: i64) (m: i64) (k: i64) =
  let a = unflatten (iota (n * m * k))
  in (length a, length a[0])

def halves [a] [b] 't (xs: [a + b]t) : ([a]t, [b]t) = split xs

entry parts [p] [q] [r] (xs: [p]i32) (ys: [q]i32) (zs: [r]i32) : ([p]i32, [q + r]i32) =
  halves (xs ++ (ys ++ zs))

-- A name for a part of a size is as good as that part.
entry named (n: i64) (m: i64) (k: i64) =
  let mk = m * k
  let a = unflatten (iota (n * mk))
  in (length a, length a[0])

entry deep (n: i64) (m: i64) (k: i64) =
  let a = map unflatten (unflatten (iota (n * (m * k))))
  in (length a, length a[0], length a[0, 0])

-- As written, m would be p + q and (q + r) would have to be r.
def first [m] [q] [r] (xs: [m + (q + r)]i32) (_: [q]i32) (_: [r]i32) : i64 = m

entry regrouped [p] [q] [r] (xs: [p]i32) (ys: [q]i32) (zs: [r]i32) =
  [i32.i64 (first (xs ++ ys ++ zs) ys zs), i32.i64 (length ys)]

def cut [a] [b] (k: i64) (xs: [a + (b - k)]i32) (_: [a]()) : ([a]i32, i64) = (take a xs, b)

entry difference [n] (xs: [n]i32) =
  let (ys, _) = cut 1 (xs :> [1 + (n - 1)]i32) [()]
  in (ys, take 2 (drop 1 xs))

def rows [n] [a] [b] (xs: [n * (a * b)]i32) (_: [a]()) (_: [b]()) : [n][a * b]i32 = unflatten xs

entry in_type [n] [a] [b] (x: [n][a][b]i32) : [n][a * b]i32 =
  rows (flatten (map flatten x)) (replicate a ()) (replicate b ())
