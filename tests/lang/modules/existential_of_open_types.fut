-- Types that a definition leaves open may get sizes that are existential in the specification, if
-- the definition says what these are.
-- ==
-- entry: main
-- input { [1, 2] } output { 3 }
module m : { val get [n] : [n]i32 -> ?[k].([k]i32 -> i32, [k]i32) } = {
  def get [n] (_: [n]i32) = (\_ -> 3i32, [3i32, 4])
}

entry main (s: []i32) = let (f, b) = m.get s in f b

module empty : { val mk : i64 -> ?[k].([k]i32 -> i64, [k]i32) } = {
  def mk (n: i64) = (\_ -> n, [])
}

module words : {
  type w [p]
  val mk [n] : [n]u8 -> ?[p].(w [p] -> i64, ?[k].[k](w [p]))
} = {
  type w [p] = ([p](), i64)
  def mk [n] (s: [n]u8) = (\(_, i) -> i + n, map (\c -> ([], i64.u8 c)) (filter (> 0) s))
}

-- the function comes after what fixes the size
module after : { val mk : i64 -> ?[k][l].([k][l]i32, [l]i32 -> i64) } = {
  def mk (n: i64) = (map (\_ -> [1i32, 2, 3]) (iota n), \_ -> n)
}

-- ==
-- entry: others
-- input { 4i64 "ab" } output { 4i64 [99i64, 100i64] 4i64 }
entry others (n: i64) (s: []u8) =
  let (f, x) = empty.mk n
  let (g, ws) = words.mk s
  let (rows, h) = after.mk n
  in (f x, map g ws, h rows[0])
