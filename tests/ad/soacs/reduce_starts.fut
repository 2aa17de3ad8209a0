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
