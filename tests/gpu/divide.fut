-- Quotients and rests of 64 bits on devices: small numbers take a shorter way, others do not.
-- ==
-- entry: floors
-- input { [7i64, -7i64, 7i64, -7i64, 4294967296i64, -4294967297i64, 4294967295i64, -9223372036854775808i64, 5i64]
--         [2i64, 2i64, -2i64, -2i64, 3i64, 4294967296i64, 4294967295i64, -1i64, 8589934592i64] }
-- output { [3i64, -4i64, -4i64, 3i64, 1431655765i64, -2i64, 1i64, -9223372036854775808i64, 0i64]
--          [1i64, 1i64, -1i64, -1i64, 1i64, 4294967295i64, 0i64, 0i64, 5i64] }
entry floors [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) = unzip (map2 (\x y -> (x / y, x % y)) xs ys)

-- ==
-- entry: towards_zero
-- input { [7i64, -7i64, 7i64, -7i64, 4294967296i64, -4294967297i64, -9223372036854775808i64]
--         [2i64, 2i64, -2i64, -2i64, 3i64, 4294967296i64, -1i64] }
-- output { [3i64, -3i64, -3i64, 3i64, 1431655765i64, -1i64, -9223372036854775808i64]
--          [1i64, -1i64, 1i64, -1i64, 1i64, -1i64, 0i64] }
entry towards_zero [n] (xs: [n]i64) (ys: [n]i64) : ([n]i64, [n]i64) =
  unzip (map2 (\x y -> (x i64.// y, x i64.%% y)) xs ys)
