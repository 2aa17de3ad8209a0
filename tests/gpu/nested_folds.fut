-- Reductions of reductions, on a device one reduction of all elements: of two and three levels,
-- several values at once, with an operator that does not commute, with values of outer levels, and
-- in the rows of maps.  Each entry point holds what the device gives against loops.
-- ==
-- entry: sums columns order beside rows empty
-- input { 1i64 1i64 } output { true }
-- input { 3i64 70i64 } output { true }
-- input { 257i64 5i64 } output { true }
-- input { 130i64 131i64 } output { true }

def value (i: i64) (j: i64) : i64 = (i * 7919 + j * 104729 + 13) % 1009 - 500

def table (n: i64) (m: i64) : [n][m]i64 = tabulate_2d n m value

def added [n] [m] (f: i64 -> i64 -> i64 -> i64) (xss: [n][m]i64) : i64 =
  loop s = 0 for i < n do loop s for j < m do s + f i j xss[i, j]

entry sums (n: i64) (m: i64) : bool =
  let xss = opaque (table n m)
  let deep = i64.sum (map (\xs -> i64.sum (map (\x -> i64.sum (map (+ x) (iota 37))) xs)) xss)
  in i64.sum (map i64.sum xss) == added (\_ _ x -> x) xss &&
     deep == added (\_ _ x -> 37 * x + 666) xss

entry columns (n: i64) (m: i64) : bool =
  let xss = opaque (table n m)
  let both op ne = reduce op ne (map (reduce op ne) (transpose xss))
  in both i64.max i64.lowest == (loop b = i64.lowest for xs in xss do
                                   loop b for x in xs do i64.max b x) &&
     both (+) 0 == added (\_ _ x -> x) xss

-- Affine maps.
def after (a: (i64, i64)) (b: (i64, i64)) : (i64, i64) =
  (a.0 * b.0 % 1013, (a.1 * b.0 + b.1) % 1013)

entry order (n: i64) (m: i64) : bool =
  let xss = map (map (\x -> (x % 3 + 2, x))) (opaque (table n m))
  let all = reduce after (1, 0) (map (reduce after (1, 0)) xss)
  let one = loop a = (1, 0) for xs in xss do loop a for x in xs do after a x
  in all.0 == one.0 && all.1 == one.1

entry beside (n: i64) (m: i64) : bool =
  let xss = opaque (table n m)
  let ws = opaque (map (% 11) (iota n))
  let got = i64.sum (map3 (\i w xs -> let k = w * 3 - i
                                      in i64.sum (map2 (\j x -> k * x + j) (iota m) xs))
                          (iota n) ws xss)
  in got == added (\i j x -> (i % 11 * 3 - i) * x + j) xss

entry rows (n: i64) (m: i64) : bool =
  let xss = opaque (table n m)
  let got = map (\k -> i64.sum (map (\xs -> i64.sum (map (* k) xs)) xss)) (iota 9)
  let two = map (\k -> reduce (\a b -> (a.0 + b.0, i64.max a.1 b.1)) (0, i64.lowest)
                              (map (\xs -> reduce (\a b -> (a.0 + b.0, i64.max a.1 b.1))
                                                  (0, i64.lowest) (map (\x -> (x, x * k)) xs))
                                   xss))
                (iota 9)
  in and (map2 (\k s -> s == k * added (\_ _ x -> x) xss) (iota 9) got) &&
     and (map2 (\k (s, b) -> s == added (\_ _ x -> x) xss &&
                             b == (loop b = i64.lowest for xs in xss do
                                     loop b for x in xs do i64.max b (x * k)))
               (iota 9) two)

entry empty (n: i64) (m: i64) : bool =
  let none = opaque (replicate 0 (replicate m 1i64))
  let nothing = opaque (replicate n (replicate 0 1i64))
  in i64.sum (map i64.sum none) == 0 && i64.sum (map i64.sum nothing) == 0
