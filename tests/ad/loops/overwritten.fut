-- Arrays updated in place that do lose what the return sweep reads: it must come back.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true] }
import "lib/agree"

-- The cell itself; the next one; one that a later iteration writes.
def itself [n] (x: [n]f64) = loop t = copy x for i < n do t with [i] = f64.sin t[i]
def next [n] (x: [n]f64) = loop t = copy x for i < n - 1 do t with [i] = t[i] * t[i + 1]
def far [n] (x: [n]f64) = loop t = copy x for i < n do t with [i] = t[i] * t[n - 1]
-- Two writes to a cell in an iteration, a read between.
def twice [n] (x: [n]f64) =
  loop t = copy x for i < n - 1 do
    let t[i + 1] = t[i] * x[i]
    let y = f64.exp (0.1 * t[i + 1])
    in t with [i + 1] = y * t[i + 1]
-- The halves of a double buffer.
def parity [n] (x: [n]f64) =
  (loop t = [copy x, copy x] for i < 5i64 do
     t with [(i + 1) % 2] = map (\a -> f64.sin (a * 1.3)) t[i % 2])[1]
-- Rounds over all cells.
def rounds [n] (x: [n]f64) =
  loop t = copy x for _k < 4i32 do
    loop t for i in 1..<n do t with [i] = t[i] * t[i - 1] + 0.1
-- A write in a branch; reads in the other.
def branch [n] (x: [n]f64) =
  loop t = copy x for i < 3 * n do
    let k = i % n
    in if t[k] > 0.5 then t with [k] = t[k] * t[(k + 1) % n] * 0.7 else t with [(k + 2) % n] = t[k] + 0.3
-- Where is known only at run time.
def wandering [n] (x: [n]f64) =
  (loop (t, k) = (copy x, 0i64) for _i < 12i32 do
     let next = (k * 7 + 2 + i64.bool (t[k] > 1)) % n
     in (t with [k] = t[k] * t[(k + 3) % n] + 0.2, next)).0
-- Another result of the loop inside is wanted.
def both [n] (x: [n]f64) =
  (loop (t, p) = (copy x, 1f64) for i in 1..<n do
     let (t, q) = loop (t, q) = (t, p) for j < i do
       let r = t[i] * 0.9
       in (t with [j] = t[i] * q, q * r)
     in (t, p * q)).0
-- Read-only reads, which the loop inside overwrites afterwards.
def swap [n] (x: [n]f64) =
  loop t = copy x for i < n / 2 do
    let a = t[i]
    let b = t[n - 1 - i]
    let t[i] = b * b
    in t with [n - 1 - i] = a * b
-- The array before the loop is read after it.
def before [n] (x: [n]f64) =
  let a = map f64.sin x
  let s = f64.sum (map (\v -> v * v) a)
  let b = loop t = a for i < n - 1 do t with [i + 1] = t[i] * x[i]
  in map (* s) b
-- What is asserted is not so.
def asserted [n] (x: [n]f64) =
  loop (#[true_dep] t) = copy x for i in 1..<n do t with [i] = t[i] * t[i - 1]

entry main =
  let x = [0.7, 1.3, 0.4, 0.9, 1.1]
  in [ agree_vector itself x, agree_vector next x, agree_vector far x, agree_vector twice x
     , agree_vector parity x, agree_vector rounds x, agree_vector branch x
     , agree_vector wandering x, agree_vector both x, agree_vector swap x
     , agree_vector before x, agree_vector asserted x ]
