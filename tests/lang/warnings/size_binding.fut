-- A size expression with a binding.
-- ==
-- input { } output { 8i64 }
-- warning: Size expression with binding is replaced by unknown size
entry main = length (iota (let k = 4 in k + k))
