-- Minima and choices that start from a value which is not neutral: where no element is better the
-- result is that value, and it alone has a derivative.  Without elements likewise.
-- ==
-- entry: minimum choice pairs alone
-- input { [1.0, 2.0] 0.5 } output { [0.0, 0.0] 1.0 1.0 }
-- input { [1.0, 0.25] 0.5 } output { [0.0, 1.0] 0.0 0.0 }
-- input { empty([0]f64) 0.5 } output { empty([0]f64) 1.0 1.0 }

def both [n] (f: ([n]f64, f64) -> f64) (x: [n]f64) (e: f64) =
  let (xs, by_e) = vjp f (x, e) 1
  in (xs, by_e, jvp f (x, e) (map (const 0) x, 1))

def less (a: f64) (b: f64) = if b < a then b else a

entry minimum = both (\(x, e) -> reduce f64.min e x)

entry choice = both (\(x, e) -> reduce less e x)

entry pairs =
  both (\(x, e) -> (reduce (\(a, i) (b, j) -> if b < a then (b, j) else (a, i)) (e, e) (zip x x)).1)

entry alone [n] (x: [n]f64) (e: f64) =
  (map (\i -> f64.sum (vjp (\x -> reduce less e x) x 1) * f64.bool (x[i] < e)) (iota n),
   vjp (\e -> reduce less e x) e 1,
   jvp (\e -> reduce less e x) e 1)

-- Where it is constant, no element has a derivative either; nor has a start for which there is an
-- element that is better.
-- ==
-- entry: constant constant_choice
-- input { [1.0, 2.0] 0.5 } output { 0.0 [0.0, 0.0] }
-- input { [1.0, 0.25] 0.5 } output { 1.0 [0.0, 1.0] }
-- input { empty([0]f64) 0.5 } output { 0.0 empty([0]f64) }

def ways [n] (f: [n]f64 -> f64) (x: [n]f64) = (jvp f x (map (const 1) x), vjp f x 1)

entry constant [n] (x: [n]f64) (e: f64) = ways (reduce f64.min e) x

entry constant_choice [n] (x: [n]f64) (e: f64) = ways (reduce less e) x

-- Column by column.
-- ==
-- entry: columns pair_columns
-- input { [[1.0, 2.0], [3.0, 4.0]] [0.5, 2.5] } output { [[0.0, 1.0], [0.0, 0.0]] [1.0, 0.0] 1.0 1.0 }
-- input { [[-1.0, 2.0], [-3.0, -4.0]] [0.5, 2.5] } output { [[0.0, 0.0], [1.0, 1.0]] [0.0, 0.0] 0.0 2.0 }
-- input { empty([0][2]f64) [0.5, 2.5] } output { empty([0][2]f64) [1.0, 1.0] 2.0 0.0 }

def in_columns [n] (f: ([n][2]f64, [2]f64) -> f64) (x: [n][2]f64) (e: [2]f64) =
  let (xs, by_e) = vjp f (x, e) 1
  in (xs, by_e, jvp f (x, e) (map (const [0, 0]) x, [1, 1]), jvp f (x, e) (map (const [1, 1]) x, [0, 0]))

entry columns = in_columns (\(x, e) -> f64.sum (reduce (map2 f64.min) e x))

entry pair_columns =
  in_columns (\(x, e) -> f64.sum (reduce (\a b -> [f64.min a[0] b[0], less a[1] b[1]]) [e[0], e[1]] x))

-- ==
-- entry: constant_columns
-- input { [[1.0, 2.0], [3.0, 4.0]] [0.5, 2.5] } output { 1.0 1.0 [[0.0, 1.0], [0.0, 0.0]] }
-- input { [[-1.0, 2.0], [-3.0, -4.0]] [0.5, 2.5] } output { 2.0 2.0 [[0.0, 0.0], [1.0, 1.0]] }
-- input { empty([0][2]f64) [0.5, 2.5] } output { 0.0 0.0 empty([0][2]f64) }
entry constant_columns [n] (x: [n][2]f64) (e: [2]f64) =
  let f x = f64.sum (reduce (map2 f64.min) e x)
  let g x = f64.sum (reduce (\a b -> [f64.min a[0] b[0], less a[1] b[1]]) [e[0], e[1]] x)
  let ones = map (const [1, 1]) x
  in (jvp f x ones, jvp g x ones, vjp f x 1)

-- The second of two equal ones: without rows there is none but the start.
-- ==
-- entry: later_columns
-- input { [[-1.0, 2.0], [-3.0, -4.0]] [0.5, 2.5] } output { [[0.0, 0.0], [1.0, 1.0]] [0.0, 0.0] 0.0 2.0 }
-- input { empty([0][2]f64) [0.5, 1.5] } output { empty([0][2]f64) [1.0, 1.0] 2.0 0.0 }
def later (a: f64) (b: f64) = if a < b then a else b

entry later_columns =
  in_columns (\(x, e) -> f64.sum (reduce (\a b -> [later a[0] b[0], later a[1] b[1]]) [e[0], e[1]] x))
