-- | Gradients, Jacobians and Hessians, dense and sparse, on top of `jvp` and `vjp`.
--
-- Not part of the names every program has; `import "/prelude/derivatives"` brings them in for
-- `f64`, `module d32 = mk_derivatives f32` makes them for another type.

module type derivatives = {
  -- | The type of the numbers.
  type t

  -- | The derivative of a function of one number.
  val derivative : (f: t -> t) -> (x: t) -> t

  -- | The gradient of a function to one number; the argument may be of any type.
  val grad 'a : (f: a -> t) -> (x: a) -> a

  -- | The value and the gradient, for little more than the gradient alone.
  val value_and_grad 'a : (f: a -> t) -> (x: a) -> (t, a)

  -- | The Jacobian, column by column.  Best when there are fewer columns than rows.
  val jacobian_forward [n] [m] : (f: [n]t -> [m]t) -> (x: [n]t) -> [m][n]t

  -- | The Jacobian, row by row.  Best when there are fewer rows than columns.
  val jacobian_reverse [n] [m] : (f: [n]t -> [m]t) -> (x: [n]t) -> [m][n]t

  -- | The Jacobian, by whichever mode has less to do.
  val jacobian [n] [m] : (f: [n]t -> [m]t) -> (x: [n]t) -> [m][n]t

  -- | The Hessian times a direction, for a small multiple of the cost of the gradient.
  val hvp 'a : (f: a -> t) -> (x: a) -> (direction: a) -> a

  -- | All second derivatives.
  val hessian [n] : (f: [n]t -> t) -> (x: [n]t) -> [n][n]t

  -- | The entries of the Jacobian that are not zero whatever the values are, as rows and columns:
  -- those that `f` has with the branches it takes at `x`.  Costs a `jvp` per column.
  val jacobian_pattern [n] [m] : (f: [n]t -> [m]t) -> (x: [n]t) -> ?[k].([k]i64, [k]i64)

  -- | The entries of the Jacobian at the given rows and columns, which must include all that
  -- are not zero.  Columns without a row in common share a `jvp`.
  val sparse_jacobian [n] [m] [k] :
    (f: [n]t -> [m]t) -> (x: [n]t) -> (rows: [k]i64) -> (columns: [k]i64) -> [k]t

  -- | The same; rows without a column in common share a `vjp`.
  val sparse_jacobian_reverse [n] [m] [k] :
    (f: [n]t -> [m]t) -> (x: [n]t) -> (rows: [k]i64) -> (columns: [k]i64) -> [k]t

  -- | With colours found before by `colour_columns`, for many uses of one pattern.
  val coloured_jacobian [n] [m] [k] :
    (f: [n]t -> [m]t) -> (x: [n]t) -> (colours: (i64, [n]i64))
    -> (rows: [k]i64) -> (columns: [k]i64) -> [k]t
}

-- The entries of each line one after the other: where a line begins, and the numbers across.
local def by_line [k] (n: i64) (lines: [k]i64) (across: [k]i64) : ([]i64, [k]i64) =
  let counts = hist (+) 0 n lines (replicate k 1)
  let ends = scan (+) 0 counts
  let starts = [0] ++ ends
  let (_, places) =
    loop (next, places) = (copy (take n starts), replicate k 0)
    for e < k do
      let l = lines[e]
      let places[next[l]] = across[e]
      let next[l] = next[l] + 1
      in (next, places)
  in (starts, places)

-- | Colours for the `n` columns of a sparse matrix with `m` rows, so that no two columns of one
-- colour have an entry in the same row: the number of colours, and the colour of each column.
def colour_columns [k] (m: i64) (n: i64) (rows: [k]i64) (columns: [k]i64) : (i64, [n]i64) =
  let (row_starts, in_row) = by_line m rows columns
  let (column_starts, in_column) = by_line n columns rows
  -- taken[c] = j: colour c is taken by a column that column j meets
  let (colours, _, used) =
    loop (colours, taken, used) = (replicate n (-1), replicate (n + 1) (-1), 0)
    for j < n do
      let taken =
        loop taken for e in column_starts[j]..<column_starts[j + 1] do
          let r = in_column[e]
          in loop taken for d in row_starts[r]..<row_starts[r + 1] do
               let c = colours[in_row[d]]
               in if c >= 0 then taken with [c] = j else taken
      let free = loop c = 0 while taken[c] == j do c + 1
      let colours[j] = free
      in (colours, taken, i64.max used (free + 1))
  in (used, colours)

module mk_derivatives (R: float) : derivatives with t = R.t = {
  type t = R.t

  def zero = R.i64 0
  def one = R.i64 1
  def unit (n: i64) (i: i64) : [n]t = map (\j -> if i == j then one else zero) (iota n)

  def derivative (f: t -> t) (x: t) : t = jvp f x one
  def grad 'a (f: a -> t) (x: a) : a = vjp f x one
  def value_and_grad 'a (f: a -> t) (x: a) : (t, a) = vjp2 f x one

  def jacobian_forward [n][m] (f: [n]t -> [m]t) (x: [n]t) : [m][n]t =
    transpose (jmp f x (map (unit n) (iota n)))

  def jacobian_reverse [n][m] (f: [n]t -> [m]t) (x: [n]t) : [m][n]t =
    mjp f x (map (unit m) (iota m))

  def jacobian [n][m] (f: [n]t -> [m]t) (x: [n]t) : [m][n]t =
    if n <= m then jacobian_forward f x else jacobian_reverse f x

  def hvp 'a (f: a -> t) (x: a) (direction: a) : a = jvp (grad f) x direction
  def hessian [n] (f: [n]t -> t) (x: [n]t) : [n][n]t = jmp (grad f) x (map (unit n) (iota n))

  def jacobian_pattern [n][m] (f: [n]t -> [m]t) (x: [n]t) : ?[k].([k]i64, [k]i64) =
    -- What a tangent that is not a number reaches depends on it.
    let reached j = jvp f x (map (\i -> if i == j then R.nan else zero) (iota n)) |> map R.isnan
    let columns = tabulate n reached
    let hit e = columns[e % n, e / n]
    in filter hit (iota (n * m)) |> map (\e -> (e / n, e % n)) |> unzip

  def coloured_jacobian [n][m][k] (f: [n]t -> [m]t) (x: [n]t) ((count, colours): (i64, [n]i64))
                                  (rows: [k]i64) (columns: [k]i64) : [k]t =
    let seed c = map (\d -> if c == d then one else zero) colours
    let packed = jmp f x (map seed (iota count))
    in map2 (\r c -> packed[colours[c], r]) rows columns

  def sparse_jacobian [n][m][k] (f: [n]t -> [m]t) (x: [n]t) (rows: [k]i64)
                                (columns: [k]i64) : [k]t =
    coloured_jacobian f x (colour_columns m n rows columns) rows columns

  def sparse_jacobian_reverse [n][m][k] (f: [n]t -> [m]t) (x: [n]t) (rows: [k]i64)
                                        (columns: [k]i64) : [k]t =
    let (count, colours) = colour_columns n m columns rows
    let seed c = map (\d -> if c == d then one else zero) colours
    let packed = mjp f x (map seed (iota count))
    in map2 (\r c -> packed[colours[r], c]) rows columns
}

open mk_derivatives f64
