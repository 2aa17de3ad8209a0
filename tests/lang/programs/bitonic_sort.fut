-- A bitonic network over an array padded to a power of two.
-- ==
-- input { [1.598f64, 1.12f64, 1.498f64, 1.191f64, -0.43f64, -0.404f64, -1.586f64, 0.537f64, -1.751f64, -1.731f64, -1.165f64, -1.351f64, -0.64f64] }
-- output { [-1.751f64, -1.731f64, -1.586f64, -1.351f64, -1.165f64, -0.64f64, -0.43f64, -0.404f64, 0.537f64, 1.12f64, 1.191f64, 1.498f64, 1.598f64] }
-- input { empty([0]f64) }
-- output { empty([0]f64) }

-- ==
-- entry: strings
-- input { [[98u8, 97u8, 99u8], [97u8, 120u8, 121u8], [98u8, 97u8, 97u8]] }
-- output { [[97u8, 120u8, 121u8], [98u8, 97u8, 97u8], [98u8, 97u8, 99u8]] }

def log2 (n: i64) : i64 = (loop (r, m) = (0, 1) while m < n do (r + 1, m * 2)).0

def exchange [n] 't (lt: t -> t -> bool) (p: i64) (q: i64) (a: [n]t) : [n]t =
  let d = 1 << (p - q)
  let f i a_i =
    let up = ((i >> p) & 2) == 0
    in if i & d == 0
       then let a_j = a[i | d] in if lt a_j a_i == up then a_j else a_i
       else let a_j = a[i ^ d] in if lt a_i a_j == up then a_j else a_i
  in map2 f (iota n) a

def sort [n] 't (highest: t) (lt: t -> t -> bool) (xs: [n]t) : [n]t =
  let d = log2 n
  let padded = xs ++ replicate (2 ** d - n) highest
  in (loop padded for i < d do loop padded for j < i + 1 do exchange lt i j padded)[:n]

entry main (xs: []f64) = sort f64.highest (<) xs
entry strings [n] (xs: [n][3]u8) =
  let lt a b = (reduce (\x y -> if x != 0 then x else y) 0
                       (map2 (\c d -> i32.sgn (i32.u8 c - i32.u8 d)) a b)) < 0
  in sort [255, 255, 255] lt xs
