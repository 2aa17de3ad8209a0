-- Loops in place inside of loops, which run for another number of iterations each time: from an
-- index, from values, none at all, rows, and inside of further loops.
-- ==
-- input { 7i64 3i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 1i64 1i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 2i64 4i64 } output { [true, true, true, true, true, true, true, true] }
import "lib/agree"

def index [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i in 1..<n do
    loop a for j < i % k do a with [i] = a[i] * 0.5 + f64.sin a[i - 1 - j % i]

def values [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    loop a for j < i64.f64 (f64.abs a[i] * 5) % k do
      a with [(i + j) % n] = f64.cos (a[i] * a[(i + 2 * j) % n])

def twice [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    let a = loop a for j < i % k do a with [j % n] = a[j % n] * a[i]
    let a[i] = f64.sin a[0]
    in loop a for j < (i + 1) % k do a with [(i * j) % n] = a[j % n] + a[i] * a[i]

def rows [n] (k: i64) (x: [n]f64) : [n]f64 =
  let m = loop m = replicate n (copy x) for i < n do
    loop m for j < i % k do m with [j % n] = map2 (\a b -> f64.sin (a * b)) m[j % n] m[i]
  in map f64.sum m

def three [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    loop a for j < i % k do
      loop a for l < j + 1 do a with [(i + l) % n] = f64.sin (a[i] + a[(j + l) % n] * a[i])

def under [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    if a[i] > 0.2
    then loop a for j < i % k do a with [(j + 1) % n] = a[j % n] * a[i]
    else a with [i] = a[i] * a[i]

def again [n] (k: i64) (x: [n]f64) : f64 =
  f64.sum (loop a = copy x for _r < k do index k a)

-- The array is handed on as it is.
def handed [n] (k: i64) (x: [n]f64) : [n]f64 =
  loop a = copy x for i < n do
    let (a, s) = loop (a: *[n]f64, s) = (a, 1) for j < i % k do (a, s * f64.cos (f64.i64 j))
    in a with [i] = a[i] * a[0] * s

entry main (n: i64) (k: i64) =
  let x = tabulate n (\i -> f64.sin (1.3 * f64.i64 i + 0.4))
  in [agree_vector (index k) x,
      agree_vector (values k) x,
      agree_vector (twice k) x,
      agree_vector (rows k) x,
      agree_vector (three k) x,
      agree_vector (under k) x,
      agree_vector (handed k) x,
      agree (again k) x && agree_second (\x -> f64.sum (index k x)) x]
