-- Accumulators: writes replace, or are combined; indices outside are ignored.
-- ==
-- entry: scatter
-- input { [0, 0, 0, 0] [1i64, 3i64, 7i64, -1i64] } output { [0, 10, 0, 30] }

-- ==
-- entry: hist
-- input { [1, 1, 1] [0i64, 2i64, 0i64, 5i64, 2i64] } output { [3, 1, 3] }
-- input { [1, 1, 1] empty([0]i64) } output { [1, 1, 1] }

-- ==
-- entry: product
-- input { [1, 1, 1] [0i64, 2i64, 0i64, 5i64, 2i64] } output { [9, 1, 9] }

-- ==
-- entry: many
-- input { 5i64 [2i64, 4i64, 0i64] } output { [2i64, 2i64, 1i64, 1i64, 0i64] }

-- ==
-- entry: choose
-- input { [0, 0, 0, 0] [1, -2, 3, -4] } output { [1, 0, 3, -4] }

-- ==
-- entry: cases
-- input { [0, 0, 0] [1, 2, 3, 4, 5, 6] } output { [9, 12, 0] }

-- ==
-- entry: named
-- input { [5, 5, 5] [0i64, 1i64] } output { [6, 7, 5] 3i64 }

-- ==
-- entry: pairs
-- input { 3i64 [0i64, 2i64, 0i64] } output { [2i64, 0i64, 1i64] [0.5f64, 0f64, 1f64] }

-- ==
-- entry: rows
-- input { [[0, 0], [0, 0]] [1i64, 1i64, 0i64] } output { [[1, 10], [2, 20]] [[0, 7], [1, 7]] }

-- ==
-- entry: units
-- input { 3i64 } output { 3i64 }

-- ==
-- entry: inner
-- input { [[1, 2, 2], [0, 0, 5]] } output { [[0, 1, 2], [2, 0, 0]] }

-- ==
-- entry: nested
-- input { 3i64 } output { [0i64, 1i64, 3i64] }

-- ==
-- entry: halving
-- input { [0, 0, 0, 0, 0, 0, 0, 0] } output { [1, 2, 1, 1, 0, 1, 0, 0] }

-- ==
-- entry: nothing
-- input { [4, 5] } output { [4, 5] }

def write [n] 't (acc: *intrinsics.acc ([n]t)) (i: i64) (x: t) : *intrinsics.acc ([n]t) =
  intrinsics.acc_write acc i x

entry scatter (dest: *[]i32) (is: []i64) =
  intrinsics.scatter_stream dest (\acc i -> write acc i (i32.i64 i * 10)) is

entry hist (dest: *[]i32) (is: []i64) =
  intrinsics.hist_stream dest (+) 0 (\acc i -> intrinsics.acc_write acc i 1) is

entry product (dest: *[]i32) (is: []i64) =
  intrinsics.hist_stream dest (*) 1 (\acc i -> intrinsics.acc_write acc i 3) is

-- a loop of writes for each element
entry many (k: i64) (ns: []i64) : *[k]i64 =
  intrinsics.hist_stream (replicate k 0) (+) 0
    (\(acc: *intrinsics.acc ([k]i64)) n -> loop acc for i < n do intrinsics.acc_write acc i 1)
    ns

entry choose [n] (dest: *[n]i32) (xs: [n]i32) =
  intrinsics.scatter_stream dest
    (\acc (i, x) -> if x > 0 then write acc i x else if x < -3 then write acc i x else acc)
    (zip (iota n) xs)

entry cases (dest: *[]i32) (xs: []i32) =
  intrinsics.hist_stream dest (+) 0
    (\acc x -> match x % 2
               case 0 -> write acc 1 x
               case _ -> write acc 0 x)
    xs

-- functions of one's own, and sizes of the accumulator
def put [n] (acc: *intrinsics.acc ([n]i32)) (i: i64) : *intrinsics.acc ([n]i32) =
  let (acc, _) = loop (acc, k) = (acc, i) while k >= 0 do (write acc i 1, k - 1)
  in acc

def size [n] (_: [n]i32) = n

entry named (dest: *[]i32) (is: []i64) =
  let r = intrinsics.hist_stream dest (+) 0 put is
  in (r, size r)

-- several arrays in one accumulator
entry pairs (k: i64) (is: []i64) =
  unzip (intrinsics.hist_stream (replicate k (0i64, 0f64)) (\a b -> (a.0 + b.0, f64.max a.1 b.1))
                                (0, 0)
                                (\acc i -> write acc i (1, f64.i64 (i + 1) / (if i == 2 then 3 else 2)))
                                is)

-- elements that are arrays
entry rows (dest: [][2]i32) (is: []i64) =
  ( intrinsics.hist_stream (copy dest) (map2 (+)) [0, 0] (\acc i -> write acc i [1, 10]) is
  , intrinsics.scatter_stream (copy dest) (\acc i -> write acc i [i32.i64 i, 7]) is )

entry units (k: i64) =
  length (intrinsics.scatter_stream (replicate k ()) (\acc i -> write acc i ()) (iota k))

-- inside of a map
entry inner (xss: [][3]i32) =
  map (\xs -> intrinsics.hist_stream [0, 0, 0] (+) 0 (\acc x -> write acc (i64.i32 x) 1) xs) xss

-- one inside of the function of another
entry nested (n: i64) =
  intrinsics.scatter_stream (replicate n 0)
    (\acc i ->
       let inner = intrinsics.hist_stream [0i64] (+) 0 (\acc j -> write acc 0 j) (iota (i + 1))
       in write acc i inner[0])
    (iota n)

entry halving (dest: *[8]i32) =
  intrinsics.hist_stream dest (+) 0
    (\acc x -> let (acc, _) = loop (acc, x) = (acc, x) while x > 0 do (write acc x 1, x / 2)
               in write acc 0 (if x == 5 then 1 else 0))
    [5i64, 3]

entry nothing (dest: *[]i32) = intrinsics.scatter_stream dest (\acc _ -> acc) [1i64, 2]
