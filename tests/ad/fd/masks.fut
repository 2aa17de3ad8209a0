-- Sums over some of the elements, triangles, sums written as loops, the same element in several branches:
-- accumulators that are updated in branches and in loops.
-- ==
-- input { [0.3, -0.7, 1.1, 0.45, 0.9, -0.2] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { [0.55] }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { empty([0]f64) }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/fd"

def weight (i: i64) (j: i64) : f64 = f64.sin (f64.i64 (3 * i + 5 * j)) + 0.2

def masked [n] (x: [n]f64) : [1]f64 =
  [f64.sum (tabulate 5 (\i -> f64.sum (tabulate n (\j ->
     if weight i j > 0 then x[j] * x[j] * weight i j else 0))))]

def rows [n] (x: [n]f64) : [4]f64 =
  tabulate 4 (\i -> f64.sum (map2 (\a j -> if (i + j) % 2 == 0 then f64.exp a else weight i j) x (iota n)))

def triangle [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> f64.sum (tabulate n (\j -> if j <= i then weight i j * x[j] * x[i] else 0)))

def strict [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> f64.sum (tabulate n (\j ->
    if j < i then x[j] * weight i j else if j == i then f64.sin x[j] else x[j] * x[j])))

def matrix [n] (x: [n]f64) : [n]f64 =
  let a = tabulate_2d n n (\i j -> x[i] * weight i j)
  let b = tabulate_2d n n (\i j -> if i < j then a[i, j] * a[i, j] else 0)
  in map2 (\r i -> f64.sum r * weight i i) b (iota n)

def both [n] (x: [n]f64) : [1]f64 =
  let y = map (\a -> a * a) x
  in [f64.sum (tabulate 3 (\i -> f64.sum (tabulate n (\j ->
       if weight i j > 0.3 then x[j] * y[j] else y[j] * weight j i))))]

def by_loop [n] (x: [n]f64) : [3]f64 =
  tabulate 3 (\i -> loop s = 0 for j < n do s + weight i j * x[j] * x[j])

def by_loops [n] (x: [n]f64) : [3]f64 =
  let a = tabulate_2d n 4 (\i j -> x[i] * weight i j)
  in tabulate 3 (\i -> loop s = 0 for j < n do s + (loop t = 0 for k < 4 do t + weight i k * a[j, k]))

def loop_branch [n] (x: [n]f64) : [3]f64 =
  tabulate 3 (\i -> loop s = 0 for j < n do if weight i j > 0 then s + weight i j * f64.exp x[j] else s)

-- A loop over more than the elements, or less than none.
def bounds [n] (x: [n]f64) : [3]f64 =
  tabulate 3 (\i -> loop s = 0 for j < n - 2 do s + weight i j * f64.sum x)

def chosen [n] (x: [n]f64) : [3]f64 =
  tabulate 3 (\i -> f64.sum (tabulate n (\j ->
    match (i + j) % 3
    case 0 -> x[j]
    case 1 -> x[j] * x[j]
    case _ -> if x[j] > 0 then f64.exp x[j] else 1)))

-- Which element is not known: stays as it is.
def looked_up [n] (x: [n]f64) : [3]f64 =
  tabulate 3 (\i -> f64.sum (tabulate n (\j ->
    let k = (i * 5 + j * 3) % n
    in if weight i j > 0 then x[k] * x[j] else x[k])))

entry main [n] (x: [n]f64) : []bool =
  [check masked x, check rows x, check triangle x, check strict x, check matrix x, check both x,
   check by_loop x, check by_loops x, check loop_branch x, check bounds x, check chosen x,
   check looked_up x]
