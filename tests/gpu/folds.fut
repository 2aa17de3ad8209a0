-- Folds and scans by blocks of threads: of any length, one value or several, operators that commute
-- and such that do not, values of all kinds.  Each entry point holds what the device
-- gives against a loop.
-- ==
-- entry: sums prefixes products mixed rows short kinds counts filters
-- input { 1i64 } output { true }
-- input { 31i64 } output { true }
-- input { 32i64 } output { true }
-- input { 33i64 } output { true }
-- input { 256i64 } output { true }
-- input { 257i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 10007i64 } output { true }
-- input { 40009i64 } output { true }

def value (i: i64) : i64 = (i * 7919 + 13) % 1009 - 500

-- Affine maps do not commute.
def after (a: (i64, i64)) (b: (i64, i64)) : (i64, i64) = (a.0 * b.0 % 1013, (a.1 * b.0 + b.1) % 1013)

def running [n] 't (op: t -> t -> t) (ne: t) (xs: [n]t) : [n]t =
  (loop (acc, out) = (ne, copy (replicate n ne)) for i < n do
     let acc = op acc xs[i]
     in (acc, out with [i] = acc)).1

def last_of [n] 't (op: t -> t -> t) (ne: t) (xs: [n]t) : t =
  loop acc = ne for i < n do op acc xs[i]

def same [n] 't (eq: t -> t -> bool) (a: [n]t) (b: [n]t) : bool = and (map2 eq a b)

entry sums (n: i64) : bool =
  let xs = map value (iota n)
  in reduce (+) 0 xs == last_of (+) 0 xs && reduce i64.max (-9999) xs == last_of i64.max (-9999) xs

entry prefixes (n: i64) : bool =
  let xs = map value (iota n)
  in same (==) (scan (+) 0 xs) (running (+) 0 xs) &&
     same (==) (scan i64.min 9999 xs) (running i64.min 9999 xs)

entry products (n: i64) : bool =
  let xs = map (\i -> (1 + i % 5, value i)) (iota n)
  in reduce after (1, 0) xs == last_of after (1, 0) xs &&
     same (==) (scan after (1, 0) xs) (running after (1, 0) xs)

-- A scan, and a reduction that does not commute, over the same rows.
entry mixed (n: i64) : bool =
  let xs = map value (iota n)
  let ys = map (\x -> (1 + x % 3, x)) xs
  let (a, b) = (scan (+) 0 xs, reduce after (1, 0) ys)
  in same (==) a (running (+) 0 xs) && b == last_of after (1, 0) ys

entry rows (n: i64) : bool =
  let xss = tabulate_2d 3 n (\i j -> value (i + 3 * j))
  in all id (map (\xs -> reduce (+) 0 xs == last_of (+) 0 xs) xss) &&
     and (map (\xs -> same (==) (scan i64.max (-9999) xs) (running i64.max (-9999) xs)) xss)

-- Many rows, each shorter than a block.
entry short (n: i64) : bool =
  let m = 40
  let xss = tabulate_2d n m (\i j -> value (i * m + j))
  let sums = map (reduce (+) 0) xss
  in same (==) (map (last_of (+) 0) xss) sums

entry kinds (n: i64) : bool =
  let xs = map value (iota n)
  let a = reduce (&&) true (map (> -600) xs)
  let b = scan (\x y -> x ^ y) 0u8 (map u8.i64 xs)
  let c = reduce i16.max i16.lowest (map i16.i64 xs)
  let d = scan (+) 0 (map f64.i64 xs)
  in a && same (==) b (running (\x y -> x ^ y) 0u8 (map u8.i64 xs)) &&
     c == last_of i16.max i16.lowest (map i16.i64 xs) && same (==) d (running (+) 0 (map f64.i64 xs))

-- Scans whose elements are 0 or 1, alone, two at once and in rows.
entry counts (n: i64) : bool =
  let xs = map value (iota n)
  let flags = map (\x -> i64.bool (x % 3 == 0)) xs
  let (few, many) = (filter (\x -> x % 97 == 0) xs, filter (\x -> x % 97 != 0) xs)
  let (low, high) = partition (< 0) xs
  let xss = tabulate_2d 3 n (\i j -> i32.bool ((value (i + 3 * j)) % 2 == 0))
  in same (==) (scan (+) 0 flags) (running (+) 0 flags) &&
     length few + length many == n && all (\x -> x % 97 == 0) few && all (\x -> x % 97 != 0) many &&
     i64.sum few + i64.sum many == i64.sum xs && length low + length high == n && all (< 0) low &&
     i64.sum low + i64.sum high == i64.sum xs &&
     (null many || many[length many - 1] == xs[loop k = n - 1 while k > 0 && xs[k] % 97 == 0 do k - 1]) &&
     and (map (\r -> same (==) (scan (+) 0 r) (running (+) 0 r)) xss)

-- Filters of several arrays at once, of all sizes of elements; none stay, or all.
entry filters (n: i64) : bool =
  let xs = map value (iota n)
  let zs = map (\x -> (x, f32.i64 x, u8.i64 x, x % 7 == 0, f16.i64 (x % 100))) (opaque xs)
  let (many, want) = (loop (k, out) = (0, replicate n 0) for i < n do
                        if value i % 5 < 2 then (k + 1, out with [k] = value i) else (k, out))
  let right [m] 't (eq: t -> i64 -> bool) (ts: [m]t) = m == many && and (map2 eq ts (take m want))
  in right (\(x, a, b, c, d) w -> x == w && a == f32.i64 w && b == u8.i64 w && c == (w % 7 == 0) && d == f16.i64 (w % 100))
           (filter (\(x, _, _, _, _) -> x % 5 < 2) zs) &&
     right (\x w -> i64.i32 x == w) (filter (\x -> x % 5 < 2) (opaque (map i32.i64 xs))) &&
     length (filter (\x -> x > 9999) (opaque xs)) == 0 &&
     same (==) (take n (filter (\x -> x > -9999) (opaque xs))) xs

-- Composition of functions given as arrays: the operator is a map, but reads other elements of the rows.
-- ==
-- entry: composed
-- input { [[1i8, 2i8, 3i8, 0i8], [1i8, 0i8, 2i8, 3i8]] }
-- output { [[1i8, 2i8, 3i8, 0i8], [0i8, 2i8, 3i8, 1i8]] [0i8, 2i8, 3i8, 1i8] [[[1i8, 2i8, 3i8, 0i8], [0i8, 2i8, 3i8, 1i8]]] }
entry composed [n] (fs: [n][4]i8) : ([n][4]i8, [4]i8, [1][n][4]i8) =
  let after (f: [4]i8) (g: [4]i8) : [4]i8 = map (\x -> g[x]) f
  let none : [4]i8 = [0, 1, 2, 3]
  in (scan after none fs, reduce after none fs, map (scan after none) [fs])
