-- Definitions without parameters are generalised over the types and sizes they leave open, whether
-- or not they are functions.
-- ==
-- entry: main
-- input { false } output { [1, 2] [true] false false 3f32 3f32 }

-- ==
-- entry: modval
-- input {} output { [3] [true] }

-- ==
-- entry: rec
-- input {} output { 1 7i64 }

-- ==
-- entry: loc
-- input { 3i64 } output { [2i64, 1i64, 0i64] [false, true] }

def nothing = []
def dup = \x -> (x, x)

entry main (b: bool) =
  let (p, q) = dup b
  let (r, s) = dup 3f32
  in ([1i32, 2] ++ nothing, [true] ++ nothing, p, q, r, s)

module type unit_like = {
  val unit 'a : a -> [1]a
  val none 'a : [0]a
}

module impl : unit_like = {
  def unit = \x -> [x]
  def none = []
}

entry modval = (impl.unit 3i32, impl.none ++ [true])

def ops = {fst = \(a, _) -> a, twice = \f x -> f (f x)}

entry rec = (ops.fst (1i32, true), ops.twice (+ 1i64) 5)

def tools =
  let flip = reverse
  let first = take 2
  in {flip, first}

entry loc (n: i64) = (tools.flip (iota n), tools.first [false, true, true])
