-- Tuples have no order.
-- at 6
-- ==
-- error: Cannot apply "<" to ".1i32, 2i32." .invalid type.

def f = (1i32, 2i32) < (3i32, 4i32)
