-- A derivative of a sum type has the constructor of the value it is at: as an argument, a result, in
-- arrays (which may be updated), inside of other sums, for many directions, twice.
-- ==
-- input { 1.5 } output { [6.0, 3.0, -6.0, 7.0, 3.0, 12.0, 3.0, 6.0, 9.0] }

type s = #a f64 | #b f64
type t = #in s i8 | #num i8 f64 | #row [2]s
def g (v: s) : f64 = match v case #a v -> v * v case #b v -> 3 * v
def h (v: t) : f64 = match v
  case #in v k -> g v * f64.i8 k
  case #num _ v -> v
  case #row vs -> f64.sum (map g vs)
def sign (v: s) : f64 = match v case #a v -> -v case #b v -> v
def made (y: f64) : s = if y > 0 then #b (y * y) else #a y

entry main (x: f64) : [9]f64 =
  let result = sign (jvp made x 1)
  let array = vjp (\vs -> f64.sum (map g vs)) [#b x, #a 2, #b 4] 1
  let first = sign array[0]
  let array = array with [1] = #b first
  let inner = match vjp h (#in (#b x) 1) 1 case #in v _ -> sign v case _ -> -100
  let row = match vjp h (#row [#a 6, #b 7]) 1 case #row vs -> -(sign vs[0]) case _ -> -100
  let many = mjp g (#b x) [1, 2]
  let manyf = jmp made x [1, 2]
  let twice = match vjp (\v -> match vjp g v 1 case #b w -> w * sign v case #a _ -> 0) (#b x) 3
              case #b w -> w case #a _ -> -100
  in [sign (vjp g (#b x) 2), result, sign (vjp g (#a x) 2), f64.sum (map sign array) - 2, inner, row,
      sign many[0], sign manyf[1], twice]
