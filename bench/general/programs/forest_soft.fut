-- Regression by smooth decision trees in the layout of a heap: a point goes to both children by
-- shares; trees and points in nested maps.
def sigmoid (x: f32) : f32 = 1 / (1 + f32.exp (-x))

def tree [k][d][l] (depth: i64) (w: [k][d]f32) (b: [k]f32) (leaf: [l]f32) (x: [d]f32) : f32 =
  let go = map2 (\w b -> sigmoid (b + f32.sum (map2 (*) w x))) w b
  let reach =
    loop reach = [1f32] for level < depth do
      let first = (1 << level) - 1
      in flatten (map2 (\r i -> [r * (1 - go[first + i]), r * go[first + i]]) reach (indices reach))
  in f32.sum (map2 (*) (sized l reach) leaf)

entry primal [n][d][t][k][l]
             (xs: [n][d]f32) (ys: [n]f32) (w: [t][k][d]f32) (b: [t][k]f32) (leaf: [t][l]f32) (depth: i64) : f32 =
  let predict x = f32.sum (map3 (\w b leaf -> tree depth w b leaf x) w b leaf) / f32.i64 t
  in f32.sum (map2 (\x y -> (predict x - y) ** 2) xs ys) / f32.i64 n

entry gradient [n][d][t][k][l]
               (xs: [n][d]f32) (ys: [n]f32) (w: [t][k][d]f32) (b: [t][k]f32) (leaf: [t][l]f32) (depth: i64)
             : ([t][k][d]f32, [t][k]f32, [t][l]f32) =
  vjp (\(w, b, leaf) -> primal xs ys w b leaf depth) (w, b, leaf) 1
