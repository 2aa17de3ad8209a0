-- Existential results of modules, holes, coerced constructors, slices with strides.
-- ==
-- entry: ex
-- input { [1,2] } output { 3 2i64 }

-- ==
-- entry: holes
-- input { 1 false } output { 1 }
-- input { 1 true } error:

-- ==
-- entry: hexf
-- input {} output { 16f64 0.5f32 -2f64 }

-- ==
-- entry: ctor
-- input { 0 2i64 } output { 0i64 }
-- input { 1 2i64 } output { 2i64 }

-- ==
-- entry: str
-- input { [1,2,3,4,5,6,7] } output { [7,4,1] [1,4,7] [2] }
module m : { val get [n] : [n]i32 -> ?[k].([k]i32 -> i32, [k]i32) val two : i64 -> ?[a][b].([a]i32, [b]i32) } = {
  def get [n] (xs: [n]i32) = (\ys -> i32.sum ys, xs)
  def two (n: i64) = (replicate n 1i32, replicate (n + 1) 1i32)
}
entry ex (xs: []i32) = let (f, b) = m.get xs let (p, q) = m.two 1 in (f b, length q * length p)
def h (f: i32 -> i32) : i32 -> i32 = ???
entry holes (x: i32) (b: bool) = if b then h (+ 1) x else x
entry hexf = (0x1_0.0p0, 0x1.0p-0_1f32, -0x1.0p+1)
type c 'a = #full a | #free | #two a a
entry ctor (k: i32) (n: i64) =
  match (if k == 0 then (#free :> c ([]i32)) else #two (replicate n 1i32) (replicate n 2))
  case #full a -> length a case #two a _ -> length a case #free -> 0
entry str (xs: []i32) = (xs[6::-3], xs[0:9:3], xs[1:2:5])
