-- | Applying, composing and repeating functions.

-- | `x |> f` is `f x`: a pipeline reads from left to right.
def (|>) '^a '^b (x: a) (f: a -> b) : b = f x

-- | `f <| x` is `f x`, with an operator that binds weaker than all others.
def (<|) '^a '^b (f: a -> b) (x: a) : b = f x

-- | Compose two functions: `f >-> g` applies `f` first, then `g`.
def (>->) '^a '^b '^c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)

-- | Compose two functions: `g <-< f` applies `f` first, then `g`.
def (<-<) '^a '^b '^c (g: b -> c) (f: a -> b) (x: a) : c = g (f x)

-- | Swap the arguments of a function.
def flip '^a '^b '^c (f: a -> b -> c) (b: b) (a: a) : c = f a b

-- | Turn a function of a pair into a function of two arguments.
def curry '^a '^b '^c (f: (a, b) -> c) (a: a) (b: b) : c = f (a, b)

-- | Turn a function of two arguments into a function of a pair.
def uncurry '^a '^b '^c (f: a -> b -> c) (a: a, b: b) : c = f a b

-- | Return the first of two arguments: `map (const 1) [7, 8]` is `[1, 1]`.
def const '^a '^b (x: a) (_: b) : a = x

-- | Return the argument.
def id '^a (x: a) : a = x

-- | Apply a function `n` times: `iterate 3 (* 2) 1` is `8`.  If `n` is not positive, return `x`.
def iterate 'a (n: i32) (f: a -> a) (x: a) : a =
  loop x = x for _i < n do f x

-- | Apply a function until the predicate is true.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop x = x while !(p x) do f x

-- | Apply a function as long as the predicate is true.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a) : a =
  loop x = x while p x do f x
