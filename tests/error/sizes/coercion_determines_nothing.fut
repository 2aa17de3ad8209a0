-- A size in a coercion is what to check, not what the value has.
-- ==
-- error: Ambiguous
type cell 'a = #full a | #free
def pick (k: i32) (n: i64) =
  match k
  case 0 -> (#free :> cell ([4]f32))
  case _ -> #full (replicate n 1f32)
