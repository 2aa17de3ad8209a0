-- A step of a sort by bits: one loop counts, the other writes.
-- structure soac,c: loop 2, alloc 1
-- ==
-- input { [5u32, 2u32, 7u32, 4u32] } output { [2u32, 4u32, 5u32, 7u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
entry main [n] (xs: [n]u32) : [n]u32 =
  let ones = map (\x -> i64.u32 (x & 1)) xs
  let before_0 = scan (+) 0 (map (1 -) ones)
  let before_1 = scan (+) 0 ones
  let n0 = if n == 0 then 0 else last before_0
  let to = map3 (\one b0 b1 -> if one == 0 then b0 - 1 else n0 + b1 - 1) ones before_0 before_1
  in scatter (replicate n 0) to xs
