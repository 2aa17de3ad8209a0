-- Recursive functions that call themselves with parts of an array.
-- ==
-- entry: main
-- input { [3, 1, 4, 1, 5, 9, 2, 6] }
-- output { 31 -19 14 [1, 1, 2, 3, 4, 5, 6, 9] [4, 1, 5, 9, 2, 6] [131, 169] 127 150 }
-- input { [2, 7] }
-- output { 9 5 9 [2, 7] empty([0]i32) [109, 191] 41 0 }

-- ==
-- entry: deep
-- compiled input { 200000i64 } output { 19999900000i64 true }
-- input { 200i64 } output { 19900i64 true }

-- ==
-- entry: itself
-- input { [1, 2, 3] } output { 30 }

-- ==
-- entry: gradient
-- input { [0.5, 1.5, 2.0, -1.0, 0.25] } output { true }

def sum [n] (xs: [n]i32) : i32 = if n == 0 then 0 else xs[0] + sum xs[1:]

-- The last is changed, and where the part begins depends on a value.
def signs [n] (sign: i32) (xs: [n]i32) : i32 =
  if n == 0
  then 0
  else let k = if xs[0] > 4 then n - 1 else 1
       in sign * xs[n - 1] + signs (if k == 1 then -1 else sign) (take (n - k) xs)

-- Two halves.
def halves [n] (xs: [n]i32) : i32 =
  if n == 0
  then 0
  else if n == 1
  then xs[0]
  else let h = n / 2
       in i32.max (halves (take h xs)) (halves (drop h xs)) + i32.i64 n % 3

def merge_sort [n] 't (leq: t -> t -> bool) (xs: [n]t) : [n]t =
  if n < 2
  then xs
  else let a = merge_sort leq (take (n / 2) xs)
       let b = merge_sort leq (drop (n / 2) xs)
       let (_, _, r) =
         loop (i, j, r) = (0, 0, replicate n xs[0])
         while i + j < n do
           if j >= length b || (i < length a && leq a[i] b[j])
           then (i + 1, j, r with [i + j] = a[i])
           else (i, j + 1, r with [i + j] = b[j])
       in r

-- The result is a part of the argument.
def from_fourth [n] (xs: [n]i32) : []i32 =
  if n == 0 || xs[0] == 4 then xs else from_fourth xs[1:]

-- Rows, a part of them, and an array handed on unchanged.
def rows [n] [m] (w: [m]i32) (xss: [n][m]i32) : [m]i32 =
  if n == 0 then w else map2 (+) (rows w xss[:n - 1]) xss[n - 1]

-- Calls in a map and a loop, with parts; and one with something else.
def nest [n] (d: i32) (xs: [n]i32) : i32 =
  if d == 0 || n < 2
  then i32.sum xs
  else i32.sum (map (\i -> nest (d - 1) xs[i:i + 1]) (iota 2))
       + loop a = 0 for i < 2 do a + nest (d - 1) (drop i xs)

def other [n] (xs: [n]i32) : i32 =
  if n < 3 then 0 else xs[0] + other (map (+ 1) xs[1:]) + other xs[2:]

entry main [n] (xs: [n]i32) =
  (sum xs, signs 1 xs, halves xs, merge_sort (<=) xs, from_fourth xs,
   rows [100, 200] (map (\x -> [x, -x]) xs), nest 2 xs, other xs)

def total [n] (xs: [n]i64) : i64 = if n == 0 then 0 else xs[n - 1] + total (init xs)
entry deep (n: i64) =
  (total (iota n), all (== 1i64) (merge_sort (<=) (replicate 1000 1)))

entry itself [n] (xs: [n]i32) : i32 =
  if n == 0 then 0 else 3 * xs[0] - xs[n - 1] + 2 * itself xs[1:]

def tree [n] (xs: [n]f64) : f64 =
  if n == 1
  then f64.sin xs[0]
  else let h = n / 2 in tree (take h xs) * f64.cos (tree (drop h xs)) + xs[n - 1]
entry gradient [n] (xs: [n]f64) =
  let g = vjp tree xs 1
  let unit i = map (\j -> f64.bool (i == j)) (iota n)
  let h = tabulate n (\i -> jvp tree xs (unit i))
  in and (map2 (\a b -> f64.abs (a - b) < 1e-9) g h)
