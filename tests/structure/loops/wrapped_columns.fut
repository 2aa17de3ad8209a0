-- Neighbours of the cells of a flat picture whose rows have w cells, at both sides by remainders of w: in a nest of rows and
-- columns, where w is at most n, the remainders are conditions on the column, and the interior has neither.
-- structure inline_calls,simplify,scalarise,fuse,simplify,seq,simplify,scalarise,fuse_loops,split_counters,hoist,peel,simplify: loop 4
-- ==
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 3i64 } output { [23i64, 31i64, 12i64, 56i64, 64i64, 45i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 1i64 } output { [11i64, 22i64, 33i64, 44i64, 55i64, 66i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 6i64 } output { [26i64, 31i64, 42i64, 53i64, 64i64, 15i64] }
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 5i64 } error: Index
-- input { [1i64, 2i64] 7i64 } error: Index
-- input { [1i64, 2i64] 0i64 } error: division by zero
-- input { [1i64, 2i64, 3i64] -1i64 } output { [11i64, 22i64, 33i64] }
-- input { empty([0]i64) 9223372036854775807i64 } output { empty([0]i64) }
-- input { [1i64] 9223372036854775807i64 } error: Index
entry main [n] (xs: [n]i64) (w: i64) : [n]i64 =
  tabulate n (\p -> let (i, j) = (p / w, p % w)
                    in 10 * xs[i * w + (j + 1) % w] + xs[i * w + (j + w - 1) % w])
