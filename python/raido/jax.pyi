from typing import Any, Callable
from . import Function

def wrap(f: Function) -> Callable[..., Any]: ...
