-- One cell of a recurrent network, unrolled by a loop over records.
-- ==
-- input { } output { [true] }
import "lib/fd"

type state = {h: [2]f64, c: [2]f64}
def sigmoid (x: f64) = 1 / (1 + f64.exp (-x))
def cell (w: [8][2]f64) (s: state) (x: f64) : state =
  let g k = map (\i -> f64.sum (map2 (*) w[2 * k + i] s.h) + x) (iota 2)
  let i = map sigmoid (g 0)
  let f = map sigmoid (g 1)
  let o = map sigmoid (g 2)
  let a = map f64.tanh (g 3)
  let c = map4 (\f c i a -> f * c + i * a) f s.c i a
  in {h = map2 (\o c -> o * f64.tanh c) o c, c}
def run [n] (x: [n]f64) =
  let w = unflatten (x[:16] :> [8 * 2]f64)
  let s = loop s = {h = x[0:2], c = sized 2 x[2:4]} for i < 3i64 do cell w s x[i]
  in s.h ++ s.c

entry main =
  [check run (map (\i -> f64.cos (2 * f64.i64 i)) (iota 16))]
