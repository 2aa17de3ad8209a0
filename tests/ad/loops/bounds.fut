-- Loops inside loops whose bounds are of other integer types, zero, or negative.
-- ==
-- input { 3i64 } output { [true, true, true] }
-- input { 0i64 } output { [true, true, true] }
-- input { -2i64 } output { [true, true, true] }
import "lib/agree"

def constant [n] (x: [n]f64) =
  loop t = copy x for _k < 3i32 do
    loop t for i < 4i32 do let i = i64.i32 i in t with [i] = t[i] * t[i + 1] + 0.1
def i64s [n] (m: i64) (x: [n]f64) =
  loop t = copy x for _k < 3i32 do
    let t = loop t for i < m do t with [i] = t[i] * t[i + 1] + 0.1
    in t with [0] = f64.sin t[0]
def i8s [n] (m: i8) (x: [n]f64) =
  loop t = copy x for _k < 3u8 do
    let t = loop t for i < m do let i = i64.i8 i in t with [i] = t[i] * t[i + 1] + 0.1
    in t with [0] = f64.sin t[0]

entry main (m: i64) =
  let x = [0.7, 1.3, 0.4, 0.9, 1.1]
  in [agree_vector constant x, agree_vector (i64s m) x, agree_vector (i8s (i8.i64 m)) x]
