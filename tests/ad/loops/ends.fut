-- Loops whose arrays grow at an end: behind, before, by rows, at both, by more each time, in a
-- while loop, and in a map.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true] }
import "lib/agree"

def behind [n] (x: [n]f64) =
  f64.sum (loop a = [x[0]] for i in 1..<n do a ++ [f64.sin (a[i - 1] * a[i / 2] + x[i])])
def before [n] (x: [n]f64) =
  f64.sum (loop a = [x[0], x[1]] for i in 1..<n do [f64.sin (a[0] * a[i / 2] + x[i])] ++ a)
def rows [n] (x: [n]f64) =
  f64.sum (flatten (loop a = [take 2 x, take 2 x] for i in 1..<n do
    a ++ [map (* a[i, 0]) a[i - 1], [x[i], a[i, 1] * a[0, 0]]]))
def both [n] (x: [n]f64) =
  f64.sum (loop a = [x[0]] for i in 1..<n do [a[0] * x[i]] ++ a ++ [f64.sin (a[i - 1] * a[i / 2])])
def more [n] (x: [n]f64) =
  f64.sum (loop a = [x[0]] for i in 1..<n do a ++ map (\v -> v * v * x[i]) a)
def until [n] (x: [n]f64) =
  (loop (a, s) = ([x[0]], x[1]) while length a < n * 2 && s < 1e6 do
     let v = f64.sin (last a * s + x[length a % n])
     in (a ++ [v, v * a[0]], s + v * last a)).1
def mapped [n] (x: [n]f64) =
  f64.sum (map (\v -> f64.sum (loop a = [v] for i in 1..<n do a ++ [f64.sin (a[i - 1] * x[i])])) x)
-- The array that came out is changed before the loop goes back.
def changed [n] (x: [n]f64) =
  let (a: *[]f64) = copy (loop a = [x[0]] for i in 1..<n do a ++ [f64.sin (a[i - 1] * x[i])])
  let s = a[0] * a[n / 2]
  let a[0] = s * s
  in f64.sum (map f64.sin a)

def at = [0.7, -1.3, 2.1, 0.4, -0.6]
entry main =
  [ agree behind at, agree before at, agree rows at, agree both at, agree more at, agree until at
  , agree mapped at, agree changed at, agree_second behind at && agree_second before at ]
