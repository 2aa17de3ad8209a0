-- Rows that threads go through, one each (the tuning file sees to that): of any number and length, of several
-- arrays, of floats and integers, in nests, with results that depend on the order.
-- ==
-- entry: sums distances nested places products
-- input { 1i64 40i64 } output { true }
-- input { 31i64 16i64 } output { true }
-- input { 32i64 15i64 } output { true }
-- input { 33i64 17i64 } output { true }
-- input { 300i64 1i64 } output { true }
-- input { 300i64 64i64 } output { true }
-- input { 257i64 35i64 } output { true }
-- input { 64i64 0i64 } output { true }
def value (i: i64) : i64 = (i * 7919 + 13) % 1009 - 500

def same [n] 't (eq: t -> t -> bool) (a: [n]t) (b: [n]t) : bool = and (map2 eq a b)

def table (n: i64) (m: i64) (k: i64) : [n][m]i64 = opaque (tabulate_2d n m (\i j -> value (k + i * m + j)))

entry sums (n: i64) (m: i64) : bool =
  let xss = table n m 0
  let want = map (\i -> loop s = 0 for j < m do s + value (i * m + j)) (iota n)
  in same (==) want (map i64.sum xss) && same (==) (map f32.i64 want) (map f32.sum (opaque (map (map f32.i64) xss)))

entry distances (n: i64) (m: i64) : bool =
  let xss = opaque (map (map i32.i64) (table n m 0))
  let yss = opaque (map (map f64.i64) (table n m 7))
  let got = map2 (\a b -> f64.sum (map2 (\x y -> (f64.i32 x - y) ** 2) a b)) xss yss
  let want = map (\i -> loop s = 0 for j < m do s + f64.i64 (value (i * m + j) - value (7 + i * m + j)) ** 2) (iota n)
  in same (==) want got

entry nested (n: i64) (m: i64) : bool =
  let xsss = opaque (tabulate_3d 3 n m (\k i j -> value (11 * k + i * m + j)))
  let want = tabulate 3 (\k -> map (\i -> loop s = 0 for j < m do s + value (11 * k + i * m + j)) (iota n))
  in and (map2 (same (==)) want (map (map i64.sum) xsss))

entry places (n: i64) (m: i64) : bool =
  let xss = table n m 0
  let (want, _) = unzip (map (\i -> loop (p, top) = (-1, -501) for j < m do
                                      let x = value (i * m + j) in if x > top then (j, x) else (p, top)) (iota n))
  let got = map (\r -> (reduce_comm (\(p, x) (q, y) -> if y > x || (y == x && q < p) then (q, y) else (p, x))
                                    (-1, -501) (zip (iota m) r)).0) xss
  in same (==) want got

-- Affine maps do not commute.
entry products (n: i64) (m: i64) : bool =
  let after (a: (i64, i64)) (b: (i64, i64)) : (i64, i64) = (a.0 * b.0 % 1013, (a.1 * b.0 + b.1) % 1013)
  let want = map (\i -> loop a = (1, 0) for j < m do
                          let x = value (i * m + j) in after a (1 + x % 3, x)) (iota n)
  let got = map (\r -> reduce after (1, 0) (map (\x -> (1 + x % 3, x)) r)) (table n m 0)
  in same (==) want got
