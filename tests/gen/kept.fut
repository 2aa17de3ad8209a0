-- Constants that are kept in the context; see kept_client.c.
def size : i64 = opaque 10
def squares = #[trace(squares)] map (\i -> i * i) (iota size)
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
