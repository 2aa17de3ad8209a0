-- Sorts by one bit after the other: zeros go to the front, ones behind them, both in order.
def step [n] (xs: [n]u32) (bit: i32) : [n]u32 =
  let ones = map (\x -> i64.u32 (x >> u32.i32 bit & 1)) xs
  let zeros = map (1 -) ones
  let before_0 = scan (+) 0 zeros
  let before_1 = scan (+) 0 ones
  let n0 = if n == 0 then 0 else last before_0
  let to = map3 (\one b0 b1 -> if one == 0 then b0 - 1 else n0 + b1 - 1) ones before_0 before_1
  in scatter (copy xs) to xs

entry main [n] (xs: [n]u32) : [n]u32 = loop xs for bit < 32 do step xs bit
