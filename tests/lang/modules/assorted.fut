-- Stacks, pairs of equalities, nesting, local and parametric modules.
module type stack = {
  type~ stack 'a
  val empty 'a : () -> stack a
  val push 'a : a -> stack a -> stack a
  val size 'a : stack a -> i64
  val to_array 'a : stack a -> []a
}
module array_stack : stack = {
  type~ stack 'a = []a
  def empty 'a () : stack a = []
  def push 'a (x: a) (s: stack a) : stack a = s ++ [x]
  def size 'a (s: stack a) = length s
  def to_array 'a (s: stack a) : []a = s
}

-- ==
-- entry: a
-- input { } output { 2i64 }
entry a =
  let s = array_stack.empty () |> array_stack.push 1 |> array_stack.push 2
  in array_stack.size s

-- ==
-- entry: b
-- input { } output { [4i32, 3i32] }
entry b = array_stack.(to_array (push 3i32 (push 4 (empty ()))))
module type eq = { type t val == : t -> t -> bool }
module eq_pair (A: eq) (B: eq) : eq with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  def (a1, b1) == (a2, b2) = (a1 A.== a2) && (b1 B.== b2)
}
module p = eq_pair i32 (eq_pair f32 u8)

-- ==
-- entry: c
-- input { } output { true }
entry c = p.((1, (2, 3)) == (1, (2, 3)))
module nested = {
  module inner = { def x = 3i32 module deep = { def y = x + 1 } }
  open inner.deep
}

-- ==
-- entry: d
-- input { } output { 11i32 }
entry d = nested.y + nested.inner.x + nested.inner.deep.y
local module hidden = { def z = 10i32 }
open hidden

-- ==
-- entry: e
-- input { } output { 11i32 }
entry e = z + 1
module type mt = {
  val f : i32 -> i32
  include { val g : i32 -> i32 }
  module sub : { type t = i32 val k : t }
}
module mi : mt = {
  def f = (+1)
  def g = (*2)
  module sub = { type t = i32 def k = 7i32 }
}

-- ==
-- entry: f_
-- input { } output { 15i32 }
entry f_ = mi.f (mi.g mi.sub.k)
module id_f (M: mt) = M
module mi2 = id_f mi

-- ==
-- entry: g_
-- input { } output { 10i32 }
entry g_ = mi2.g 5
module app = \(X: { val n : i64 }) : ({ val arr : [3]i64 }) -> {
  def arr = [X.n, X.n, X.n]
}
module ap = app { def n = 4i64 }

-- ==
-- entry: h_
-- input { } output { [4i64, 4i64, 4i64] }
entry h_ = ap.arr
