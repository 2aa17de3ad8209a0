-- Rows and steps that use the same parts of an array add to one adjoint of each part: loops carry none of their own.
-- depth inline_calls,simplify,hoist_slices: slice 1
-- ==
-- input { [[[1f64, 2f64], [0f64, 1f64]], [[0.5f64, 0f64], [1f64, 2f64]]] [[1f64, 2f64], [0f64, -1f64], [2f64, 0f64]] }
-- output { [[[51.0f64, 56.0f64], [92.5f64, 103.0f64]], [[119.75f64, 203.0f64], [173.25f64, 333.0f64]]] }
def step [h] (a: [h][h]f64) (b: [h][h]f64) (s: [h]f64) : [h]f64 =
  map2 (\u v -> f64.sum (map2 (*) u s) + f64.sum (map2 (*) v (map (** 2) s))) a b

def f [n][h] (ws: [2][h][h]f64) (xs: [n][h]f64) : f64 =
  let one x =
    let a = ws[0]
    in f64.sum (loop s = x for _i < 2i64 do step a ws[1] s)
  in f64.sum (map one xs)

entry main [n][h] (ws: [2][h][h]f64) (xs: [n][h]f64) : [2][h][h]f64 = vjp (\w -> f w xs) ws 1
