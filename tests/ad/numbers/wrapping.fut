-- Products of integers that wrap cannot be divided.
-- ==
-- input { } output { [true, true] }
import "../fd/lib/fd"

def f (x: [3]u32) = u32.product x

entry main =
  [vjp f [65536, 65536, 3] 1 == [65536 * 3, 65536 * 3, 0],
   jvp f [65536, 65536, 3] [1, 0, 0] == 65536 * 3]
