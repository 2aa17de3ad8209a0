-- Something of everything that allocates, for fail_alloc.c.

type~ shape = #circle f64 | #path [3]i32 []f32
type pt = {x: f32, ys: [2]i32}

entry sums [n] (k: i64) (is: [n]i64) (xs: [n]f64) : [k]f64 =
  reduce_by_index (replicate k 0) (+) 0 is xs

-- Costly values into many places: threads note what is to be added where.
entry spread [n] (k: i64) (is: [n]i64) (xs: [n]f64) : f64 =
  let cost x = loop y = x for _i < 200i64 do f64.sqrt (y * y)
  let ys = reduce_by_index (replicate k 0) (+) 0 (map (* 64) is) (map cost xs)
  in f64.sum (map (\i -> f64.i64 i * ys[i]) (iota k))

entry filtered [n] (xs: [n]f64) : ([]f64, [n]f64) =
  (filter (> 1) xs, scan (+) 0 xs)

def halve (n: i64) : []f64 = if n <= 0 then [] else [f64.i64 n] ++ replicate n 0.5

entry irregular (n: i64) : f64 =
  f64.sum (map (\i -> f64.sum (halve i)) (iota n))

def power (n: i64) (xs: []f64) : []f64 =
  if n <= 0 then copy xs else map (* 2) (power (n - 1) xs)

entry recursive (n: i64) (xs: []f64) : []f64 = power n xs

entry derivative [n] (xs: [n]f64) : [n]f64 =
  vjp (\ys -> f64.sum (loop zs = ys for _i < 5 do map2 (\z y -> f64.sin z * y) zs ys)) xs 1

entry fails [n] (xs: [n]f64) (i: i64) : f64 =
  let ys = scan (+) 0 xs
  in ys[i] + f64.sum (map (+ 1) ys)

entry update [n] (xs: *[n]f64) (i: i64) : *[n]f64 = xs with [i] = 7

entry path (n: i64) : shape = #path [1, 2, i32.i64 n] (replicate n 2)
entry points (n: i64) : [n]pt = map (\i -> {x = f32.i64 i, ys = [1, i32.i64 i]}) (iota n)
entry pair [n] (xs: [n]f64) : (i64, [n]f64) = (n, map (+ 1) xs)

-- A constant that the context keeps, rows that go through a recurrence together, and a function
-- whose derivative is made in two sweeps (--derive scaled:split).
def table : [200]f64 = scan (+) 0 (map (\i -> f64.i64 i) (iota 200))

entry kept (i: i64) : f64 = table[i] + f64.sum (map (* 2) table)

entry together [n] (xs: [n]f64) (m: i64) : f64 =
  let w = opaque (tabulate_2d n n (\i j -> f64.bool (i == j)))
  let rows = opaque (map (replicate n) xs)
  let hs = map (\x -> loop h = x for _i < m do map (\row -> f64.sum (map2 (*) row h)) w) rows
  in f64.sum (map f64.sum hs)

entry scaled [n] (xs: [n]f64) (k: f64) : [n]f64 =
  loop ys = xs for _i < 3 do map (\y -> f64.sin y * k) ys
