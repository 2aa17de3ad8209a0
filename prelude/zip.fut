-- | Arrays of tuples and tuples of arrays, which are the same in memory: these functions cost
-- nothing.

-- | Combine two arrays into an array of pairs: `zip [1, 2] [3, 4]` is `[(1, 3), (2, 4)]`.
def zip [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = intrinsics.zip as bs

-- | The same as `zip`.
def zip2 [n] 'a 'b (as: [n]a) (bs: [n]b) : *[n](a, b) = intrinsics.zip as bs

-- | Combine three arrays into an array of triples.
def zip3 [n] 'a 'b 'c (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n](a, b, c) =
  intrinsics.zip3 as bs cs

-- | Combine four arrays into an array of tuples.
def zip4 [n] 'a 'b 'c 'd (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n](a, b, c, d) =
  intrinsics.zip4 as bs cs ds

-- | Combine five arrays into an array of tuples.
def zip5 [n] 'a 'b 'c 'd 'e (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e)
    : *[n](a, b, c, d, e) =
  intrinsics.zip5 as bs cs ds es

-- | Split an array of pairs into a pair of arrays; the inverse of `zip`.
def unzip [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | The same as `unzip`.
def unzip2 [n] 'a 'b (xs: [n](a, b)) : ([n]a, [n]b) = intrinsics.unzip xs

-- | Split an array of triples into three arrays.
def unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)) : ([n]a, [n]b, [n]c) = intrinsics.unzip3 xs

-- | Split an array of tuples into four arrays.
def unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)) : ([n]a, [n]b, [n]c, [n]d) =
  intrinsics.unzip4 xs

-- | Split an array of tuples into five arrays.
def unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)) : ([n]a, [n]b, [n]c, [n]d, [n]e) =
  intrinsics.unzip5 xs
