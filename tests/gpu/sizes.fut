-- Arrays of threads whose sizes vary, with a bound that is known before the kernel: by the thread's
-- index, by a counter, doubled or halved in each iteration, and recorded by reverse mode.
-- ==
-- entry: prefixes
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { [1.0, 5.0, 17.0, 48.0, 125.0] }
-- input { empty([0]f64) } output { empty([0]f64) }

-- ==
-- entry: doubled
-- input { [1, 2, 3] 3i64 } output { [20, 28, 36] }
-- input { [7] 0i64 } output { [7] }

-- ==
-- entry: halved
-- input { [[1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 1.0, 3.0]] 2i64 } output { [7.0, 2.5] }

-- ==
-- entry: gradient
-- input { [[1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 1.0, 3.0]] 2i64 }
-- output { [[2.0, 1.0, 4.0, 3.0], [1.0, 2.0, 3.0, 1.0]] }
entry prefixes [n] (xs: [n]f64) : [n]f64 =
  let one i =
    let part = loop a = replicate (i + 1) 0 for j < i + 1 do
                 let b = copy a
                 in map2 (\x k -> x + b[k / 2] + xs[k]) b (iota (i + 1)) with [j] = xs[j]
    in reduce (+) 0 part
  in map one (iota n)

entry doubled [n] (xs: [n]i32) (d: i64) : [n]i32 =
  let one x =
    let all = loop a = [x] for l < d do a ++ map (+ i32.i64 l) (reverse a)
    in reduce (+) 0 all
  in map one xs

def tree [m] (d: i64) (xs: [m]f64) : f64 =
  let last =
    loop a = xs for l < d do
      let k = length a / 2
      in tabulate k (\i -> if l == 0 then a[2 * i] * a[2 * i + 1] else (a[2 * i] + a[2 * i + 1]) / 2)
  in f64.sum last

entry halved [n][m] (xs: [n][m]f64) (d: i64) : [n]f64 = map (tree d) xs

entry gradient [n][m] (xs: [n][m]f64) (d: i64) : [n][m]f64 =
  vjp (\xs -> f64.sum (map (\x -> tree d x * f64.i64 m / 2) xs)) xs 1
