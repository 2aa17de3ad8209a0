-- Segmented scans and sparse products.
-- ==
-- input { } output { [true, true, true] }
import "lib/fd"

def segscan [n] (flags: [n]bool) (x: [n]f64) =
  let op (f1, a) (f2, b) = (f1 || f2, if f2 then b else a + b)
  in (unzip (scan op (false, 0) (zip flags x))).1
def prodscan [n] (flags: [n]bool) (x: [n]f64) =
  let op (f1, a) (f2, b) = (f1 || f2, if f2 then b else a * b)
  in (unzip (scan op (false, 1) (zip flags x))).1
def flags : [5]bool = [true, false, true, false, false]
def spmv [n] (x: [n]f64) =
  let row o l = f64.sum (map2 (\c v -> v * x[5 + c]) [0, 2, 1][o:o + l] x[o:o + l])
  in map2 row [0, 2, 2] [2, 0, 1]

entry main =
  [check (\x -> segscan flags (x :> [5]f64)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check (\x -> prodscan flags (x :> [5]f64)) [0.7, -1.3, 2.1, 0.4, -0.6],
   check spmv (map (\i -> f64.cos (f64.i64 i)) (iota 8))]
