-- Loops that end by the same condition become one (join_twins); those that go on for longer do not, though their steps
-- are the same.
-- structure inline_calls,simplify,join_twins: loop 3
-- ==
-- entry: same
-- input { 0.9f64 }
-- output { 13.109463754821013f64 2.5869332498496337e-11f64 }
-- input { 0.05f64 }
-- output { 0.0f64 1.0f64 }

-- ==
-- entry: longer
-- input { 0.9f64 3i64 }
-- output { 2.388967577498846f64 0.11067369391495875f64 }

entry same (x: f64) : (f64, f64) =
  let (_, t) = loop (s, t) = (x, 0) while s > 0.3 do (f64.sin s, t + s)
  let (_, u) = loop (s, u) = (x, 1) while s > 0.3 do (f64.sin s, u * s)
  in (t, u)

entry longer (x: f64) (n: i64) : (f64, f64) =
  let (_, t, _) = loop (s, t, i) = (x, 0, 0i64) while s > 0.3 && i < n do (f64.sin s, t + s, i + 1)
  let (_, u, _) = loop (s, u, i) = (x, 1, 0i64) while s > 0.3 && i < 2 * n do (f64.sin s, u * s, i + 1)
  in (t, u)
