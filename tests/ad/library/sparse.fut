-- Sparse Jacobians: patterns, colours, packed derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"
import "/prelude/derivatives"

def stencil [n] (x: [n]f64) : [n]f64 =
  tabulate n (\i -> (if i == 0 then 0 else f64.sin x[i - 1]) - 2 * x[i] ** 2
                    + (if i == n - 1 then 0 else x[i] * x[i + 1]))
def arrow [n] (x: [n]f64) : [n]f64 = tabulate n (\i -> if i == 0 then f64.product x else x[0] * x[i])
def point (n: i64) : [n]f64 = tabulate n (\i -> f64.cos (f64.i64 i) + 1.5)

def agrees [n][m][k] (f: [n]f64 -> [m]f64) (x: [n]f64) (rows: [k]i64) (columns: [k]i64) (vs: [k]f64) =
  let dense = jacobian f x
  let m' = scatter_2d (replicate m (replicate n 0f64)) (zip rows columns) vs
  in close_matrix 1e-12 m' dense

entry main =
  let x = point 9
  let (rows, columns) = jacobian_pattern stencil x
  let (rows', columns') = jacobian_pattern arrow x
  let (count, colours) = colour_columns 9 9 rows columns
  let (count', _) = colour_columns 9 9 rows' columns'
  in [length rows == 25 && and (map2 (\r c -> i64.abs (r - c) <= 1) rows columns),
      count == 3 && and (map (\c -> c >= 0 && c < count) colours),
      agrees stencil x rows columns (sparse_jacobian stencil x rows columns),
      agrees stencil x rows columns (sparse_jacobian_reverse stencil x rows columns),
      agrees stencil x rows columns (coloured_jacobian stencil x (count, colours) rows columns),
      -- a full row makes all columns meet
      length rows' == 9 + 8 + 8 && count' == 9,
      agrees arrow x rows' columns' (sparse_jacobian arrow x rows' columns'),
      (colour_columns 0 0 [] []).0 == 0]
