-- An array whose elements have sizes of their own, by way of an argument of a type.
-- at 7
-- ==
-- error: Type a found to be size-lifted .might cause irregular array.

type arr 'a = [2]a
def param '~a (_: arr a) = 1i32
def known (x: arr ([]i32)) = x[1, 0]
