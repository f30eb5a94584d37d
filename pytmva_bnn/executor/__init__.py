"""Many jobs at a time: here, in processes of this machine, or on a dask cluster, with the same results.

>>> from pytmva_bnn.executor import open_executor
>>> with open_executor("serial") as executor:
...     for index, result in executor.run(abs, [-3, 4]):
...         print(index, result)
0 3
1 4
"""

from pytmva_bnn.executor.executor import Executor, Failure
from pytmva_bnn.executor.opening import Engine, engine_named, open_executor

__all__ = ["Engine", "Executor", "Failure", "engine_named", "open_executor"]
