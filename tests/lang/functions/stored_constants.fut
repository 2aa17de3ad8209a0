-- Constants that contexts keep: with sizes that are constants, given as they are, copied, failing.
def size : i64 = opaque 10
def squares = map (\i -> i * i) (iota size)
def large = filter (> 30) squares
def step = length large
def marks : [step]i64 = map (\i -> reduce (+) 0 (map (* i) squares)) (iota step)
def zero : i64 = opaque 0
def bad = map (/ zero) (iota 5)

entry main = squares
entry changed (i: i64) = copy squares with [i] = -1
entry both = (i64.sum squares, length squares + i64.sum marks % 100 + 2)
entry total = reduce (+) 0 (iota size)
entry failing (i: i64) = bad[i] + squares[i]
entry by_size (xs: [step]i64) = i64.sum xs + marks[0]

-- ==
-- entry: main
-- input {} output { [0i64,1,4,9,16,25,36,49,64,81] }

-- ==
-- entry: changed
-- input { 1i64 } output { [0i64,-1,4,9,16,25,36,49,64,81] }

-- ==
-- entry: failing
-- input { 1i64 } error: zero

-- ==
-- entry: by_size
-- input { [1i64,2,3,4] } output { 10i64 }
-- input { [1i64,2,3] } error: size

-- ==
-- entry: both
-- input {} output { 285i64 22i64 }
