-- Remainders of numbers that are known to one or two periods.
-- ==
-- entry: near
-- input { 5i64 } output { [4i64, 0, 1, 2, 3] [1i64, 2, 3, 4, 0] [3i64, 4, 0, 1, 2] [0i64, 1, 2, 3, 4] }
-- input { 1i64 } output { [0i64] [0i64] [0i64] [0i64] }
-- input { 0i64 } output { empty([0]i64) empty([0]i64) empty([0]i64) empty([0]i64) }
entry near (n: i64) : ([n]i64, [n]i64, [n]i64, [n]i64) =
  ( tabulate n (\i -> (i - 1) % n)
  , tabulate n (\i -> (i + 1) % n)
  , tabulate n (\i -> (i - 2 + n) % n)
  , tabulate n (\i -> (i + n) % n)
  )

-- Truncated, a remainder has the sign of what is divided.
-- ==
-- entry: truncated
-- input { 3i64 } output { [-1i64, 0, 1] [1i64, 2, 0] [0i64, 1, 2] [0i64, -2, -1] }
-- input { 1i64 } output { [0i64] [0i64] [0i64] [0i64] }
entry truncated (n: i64) : ([n]i64, [n]i64, [n]i64, [n]i64) =
  ( tabulate n (\i -> (i - 1) %% n)
  , tabulate n (\i -> (i + 1) %% n)
  , tabulate n (\i -> (i + n) %% n)
  , tabulate n (\i -> (i - n) %% n)
  )

-- A shift that is not known stays a division.
-- ==
-- entry: far
-- input { 4i64 -9i64 } output { [3i64, 0, 1, 2] }
-- input { 4i64 9223372036854775807i64 } output { [3i64, 0, 1, 2] }
entry far (n: i64) (shift: i64) : [n]i64 = tabulate n (\i -> (i + shift) % n)
