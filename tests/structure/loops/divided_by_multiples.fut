-- A counter that is divided by m and by multiples of m: in the nest of rows and columns only the row is divided, by numbers
-- that are known.  With an m whose multiples wrap around nothing may change.
-- structure inline_calls,simplify,fuse,simplify,seq,simplify,split_counters,hoist,simplify: loop 3
-- ==
-- entry: main
-- input { 7i64 1i64 } output { [0i64, 101i64, 200i64, 1301i64, 1400i64, 1501i64, 2600i64] }
-- input { 7i64 2i64 } output { [0i64, 2i64, 102i64, 104i64, 200i64, 202i64, 1302i64] }
-- input { 3i64 4611686018427387905i64 } output { [0i64, 9223372036854774812i64, 9223372036854774814i64] }
-- input { 3i64 6917529027641081856i64 } output { [0i64, -4611686018427387902i64, -4611686018427387900i64] }
entry main (n: i64) (m: i64) : [n]i64 =
  let (two, three) = (m * 2, 3 * m)
  in tabulate n (\i -> 100 * (i / m) + 1000 * (i / three) + i % m + i % two)
