-- Sizes of declared results that the use determines.
-- ==
-- entry: main
-- input { 3 } output { 2i64 3i64 5i64 }

-- ==
-- entry: hidden
-- input { 2i64 } output { 2i64 0i64 }

-- ==
-- entry: fn
-- input { [1, 2] } output { [1, 2] }

def nothing (_: i32) : [][]i32 = []
def rows [n][m] (xs: [n][m]i32) = (n, m)

entry main (x: i32) =
  let a : [][2]i32 = nothing x
  let b = nothing x ++ [[1, 2, 3]]
  let c : [0][5]i32 = nothing x
  in ((rows a).1, (rows b).1, (rows c).1)

module m : { type~ t val a : i64 -> t val b : () -> t val size : t -> i64 } = {
  type~ t = #l ([]i32) ([]f32) | #r ([][]i32)
  def a (n: i64) : t = #l (replicate n 1) (replicate n 2)
  def b () : t = #r []
  def size (x: t) = match x case #l a b -> length a case #r c -> length c
}

entry hidden (n: i64) = (m.size (m.a n), m.size (m.b ()))

def cons (x: i32) : []i32 -> []i32 = \xs -> xs
entry fn (xs: []i32) = cons 1 xs
