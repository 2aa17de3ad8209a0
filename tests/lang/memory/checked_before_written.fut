-- What is computed only to be written into another array may be computed there, but not before the
-- index of that place was checked.  The large indices are far outside of any block, the small ones
-- next to it, for builds with a sanitizer.
-- ==
-- entry: row row_summed column part range cube chosen matched copied other
-- input { 1i64 [1i64, 2i64, 3i64] }
-- input { 6i64 [1i64, 2i64, 3i64] } error: out of bounds
-- input { -1i64 [1i64, 2i64, 3i64] } error: out of bounds
-- input { 1099511627776i64 [1i64, 2i64, 3i64] } error: out of bounds
-- input { 0i64 empty([0]i64) } error: out of bounds
entry row [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = map (+ 1) xs
  let y[i] = b
  in y

entry row_summed [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = map (+ 1) xs
  let s = i64.sum b
  let y[i] = b
  in (s, y)

entry column [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = scan (+) 0 xs
  let y[:, i] = b
  in y

entry part [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate (n + 1) 0)
  let b = map (+ 1) xs
  let y[i, 1:] = b
  in y

entry range [n] (i: i64) (xs: [n]i64) =
  let y = replicate (2 * n) 0
  let b = map (+ 1) xs
  let s = b[n - 1]
  let y[i:i + n] = b
  in (s, y)

entry cube [n] (i: i64) (xs: [n]i64) =
  let y = replicate 2 (replicate n (replicate n 0))
  let b = loop b = replicate n 0 for k < n do b with [k] = xs[k] + k
  let y[1, i] = b
  in y

entry chosen [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = if n > 2 then map (+ 1) xs else scan (+) 0 xs
  let y[i] = b
  in y

entry matched [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = match n
          case 3 -> map (* 2) xs
          case 2 -> replicate n 3
          case _ -> scan (+) 1 xs
  let y[i] = b
  in y

-- The row is read before as well; it is one of a row that is computed in its place.
entry copied [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let r = map (+ 2) xs
  let r[0] = 5
  let y[i] = r
  in y

-- Another check is between, and comes first.
entry other [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = map (+ 1) xs
  let s = xs[b[0] % n]
  let y[i] = b
  in (s, y)

-- The check that guards the write is that of something else, of which nothing is left.
-- ==
-- entry: implied implied_branch
-- input { 1i64 [1i64, 2i64, 3i64] }
-- input { 6i64 [1i64, 2i64, 3i64] } error: Index \[6\] out of bounds
-- input { 1099511627776i64 [1i64, 2i64, 3i64] } error: out of bounds
entry implied [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let b = map (+ 1) xs
  let t = (iota n)[i]
  let y[t] = b
  in y

entry implied_branch [n] (i: i64) (xs: [n]i64) =
  let y = replicate n (replicate n 0)
  let t = (iota n)[i]
  let b = map (+ t) xs
  in if t < n then (y with [t] = b, t) else (y, 7)

-- Two checks, of the index and of the length: the first that fails is the one that is said.
-- ==
-- entry: two
-- input { 0i64 [1i64, 2i64, 3i64] 3i64 } output { [[2i64, 3i64, 4i64], [0i64, 0i64, 0i64], [0i64, 0i64, 0i64]] }
-- input { 9i64 [1i64, 2i64, 3i64] 3i64 } error: Index \[9\] out of bounds
-- input { 9i64 [1i64, 2i64, 3i64] 99999999999i64 } error: cannot match
entry two [n] (i: i64) (xs: [n]i64) (k: i64) =
  let y = replicate 3 (replicate n 0)
  let b = map (+ 1) xs
  let c = (b :> [k]i64) :> [n]i64
  let y[i] = c
  in y
