-- Powers at and away from zero.
-- ==
-- input { 2.0 3.0 } output { 12.0 5.545177444479562 }
-- input { 0.0 1.0 } output { 1.0 0.0 }
-- input { 0.0 0.0 } output { 0.0 0.0 }
-- input { 3.0 0.0 } output { 0.0 1.0986122886681098 }
entry main (x: f64) (y: f64) = vjp (\(a, b) -> a ** b) (x, y) 1
