-- What the body leaves open of a declared result the use decides.
module m : { type~ shape val dots : i64 -> shape val lines : i64 -> shape val count : shape -> i64 } = {
  type~ shape = #dots ([]i32) | #lines ([](i32, i32))
  def dots (n: i64) : shape = #dots (replicate n 0)
  def lines (n: i64) : shape = #lines (replicate n (0, 1))
  def count (s: shape) = match s case #dots xs -> length xs case #lines ls -> length ls
}

-- ==
-- entry: hidden
-- input { 4i64 } output { 4i64 5i64 }
entry hidden (n: i64) = (m.count (m.dots n), m.count (m.lines (n + 1)))

def none (x: i32) : (i32, [][]i32) = (x, [])

-- ==
-- entry: rows
-- input { 7 } output { 7 3i64 }
entry rows (x: i32) =
  let (y, xss: [][3]i32) = none x
  let width [n] [m] (_: [n][m]i32) = m
  in (y, width xss)

def empty 'a (_: i32) : [0]a = []
def mats (x: i32) : [][]f32 = empty x

-- ==
-- entry: appended
-- input {} output { 1i64 }
entry appended = length (mats 1 ++ [[1, 2]])

def table (x: i32) : {head: i32, rows: [0][]i32} = {head = x, rows = []}

-- Each use has its own.
-- ==
-- entry: twice
-- input { 1 } output { 1i64 1i64 }
entry twice (x: i32) =
  (length ((table x).rows ++ [[1, 2]]), length ((table x).rows ++ [[1, 2, 3]]))

def nested (b: bool) : ([][]i32, [][]i32) = if b then ([], []) else ([], [])

-- ==
-- entry: both
-- input { true } output { 2i64 1i64 }
entry both (b: bool) =
  let (p, q) = nested b
  in (length (p ++ [[1], [2]]), length (q ++ [[1, 2]]))
