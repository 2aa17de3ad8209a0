-- A transform in stages of butterflies, in place.
-- ==
-- input { } output { [true, true, true] }
import "../fd/lib/fd"

def stage (re: *[4]f64) (im: *[4]f64) (h: i64) : (*[4]f64, *[4]f64) =
  loop (re, im) for i < 4i64 do
    if i & h != 0 then (re, im)
    else
      let a = -f64.pi * f64.i64 (i & (h - 1)) / f64.i64 h
      let (c, s) = (f64.cos a, f64.sin a)
      let (p, q) = (c * re[i + h] - s * im[i + h], c * im[i + h] + s * re[i + h])
      let re[i + h] = re[i] - p
      let im[i + h] = im[i] - q
      let re[i] = re[i] + p
      let im[i] = im[i] + q
      in (re, im)
def f (x: [4]f64) =
  let (re, im) = loop (re, im) = ([x[0], x[2], x[1], x[3]], replicate 4 0) for h in [1, 2i64] do stage re im h
  in map2 (\a b -> a * a + f64.sin b) re im
def direct (x: [4]f64) =
  let at k g = f64.sum (map2 (\v j -> v * g (-f64.pi * f64.i64 (j * k) / 2)) x (iota 4))
  in map (\k -> at k f64.cos ** 2 + f64.sin (at k f64.sin)) (iota 4)

entry main =
  [check f [0.7, -1.3, 2.1, 0.4],
   and (map2 (close 1e-12) (f [0.7, -1.3, 2.1, 0.4]) (direct [0.7, -1.3, 2.1, 0.4])),
   close_matrix 1e-9 (reverse_mode f [0.7, -1.3, 2.1, 0.4]) (reverse_mode direct [0.7, -1.3, 2.1, 0.4])]
