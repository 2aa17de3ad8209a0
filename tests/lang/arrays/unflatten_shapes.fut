-- One size may be zero, whatever the other one is, as long as that is not negative and at most
-- 2^60, as all sizes are; zero has no sign that the other could share.
-- ==
-- input { 0i64 0i64 } output { 0i64 0i64 true }
-- input { 0i64 1152921504606846976i64 } output { 0i64 1152921504606846976i64 true }
-- input { 0i64 9223372036854775807i64 } error: Cannot unflatten array of shape \[0\] to array of shape \[0\]\[9223372036854775807\]
-- input { 5i64 0i64 } output { 5i64 0i64 true }
-- input { -9223372036854775808i64 0i64 } error: Cannot unflatten array of shape \[0\] to array of shape \[-9223372036854775808\]\[0\]
-- input { 0i64 -1i64 } error: Cannot unflatten array of shape \[0\] to array of shape \[0\]\[-1\]
-- input { -9223372036854775808i64 2i64 } error: Cannot unflatten
def shape [n] [m] (xss: [n][m]bool) = (n, m, and (map and xss))
entry main (n: i64) (m: i64) = shape (unflatten (replicate (n * m) true))
