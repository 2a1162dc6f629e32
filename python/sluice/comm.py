"""Messages between the ranks of a program: the processes that `mpirun -n 4 python program.py` starts.

Inside of a `@sluice.program` these functions become messages of MPI, in mpi4py's names: `comm.Send(A[0], dest=1)`, `comm.Bcast(A)`.
A message with a request comes back at once: `comm.Isend(A[1:-1], dest, tag, requests[0])`, until `comm.Waitall(requests)`, where
`requests = np.empty(2, dtype=sluice.MPI_Request)`. `comm.BlockScatter` and `BlockGather` move the blocks of an array. Outside of
programs only `Get_rank` and `Get_size` can be called. docs/targets.md says more.
"""
import sys

from . import _core

PROC_NULL = -1000
"""The rank of nobody: nothing is sent there, nothing comes from there."""
SUM, PROD, MIN, MAX = "sum", "product", "min", "max"
LAND, LOR, LXOR = "logical_and", "logical_or", "logical_xor"
BAND, BOR, BXOR = "bitwise_and", "bitwise_or", "bitwise_xor"
COMM_WORLD = sys.modules[__name__]
_world = None


def _rank_and_size():
    global _world
    if _world is None:
        _world = _core.world()
    return _world


def Get_rank():
    """The number of this process among the ranks, from 0. CompileError D001 where no MPI is installed."""
    return _rank_and_size()[0]


def Get_size():
    """How many ranks there are; 1 without mpirun."""
    return _rank_and_size()[1]


def _of_programs(name, what, module="comm"):
    def message(*args, **kwargs):
        raise RuntimeError(f"{module}.{name} is for @sluice.program functions: this call runs in Python, outside of one or in a part "
                           "that was not compiled (strict=True says why)")

    message.__name__ = message.__qualname__ = name
    message.__doc__ = what
    return message


Send = _of_programs("Send", "Send(buf, dest, tag=0): sends an array or a part of one.")
Ssend = _of_programs("Ssend", "Ssend(buf, dest, tag=0): sends, and comes back once the receive has begun.")
Recv = _of_programs("Recv", "Recv(buf, source, tag=0): receives as many elements as the part has.")
Isend = _of_programs("Isend", "Isend(buf, dest, tag, request): begins to send; the part must not be written before Wait.")
Irecv = _of_programs("Irecv", "Irecv(buf, source, tag, request): begins to receive; the part must not be used before Wait.")
Wait = _of_programs("Wait", "Wait(request): waits for the message.")
Waitall = _of_programs("Waitall", "Waitall(requests): waits for the messages of an array of requests.")
Barrier = _of_programs("Barrier", "Barrier(): waits until every rank has come to it.")
Bcast = _of_programs("Bcast", "Bcast(buf, root=0): brings the root's elements to all.")
Reduce = _of_programs("Reduce", "Reduce(sendbuf, recvbuf, op=SUM, root=0): combines the elements of all ranks at the root.")
Allreduce = _of_programs("Allreduce", "Allreduce(sendbuf, recvbuf, op=SUM): the same at all ranks.")
Scatter = _of_programs("Scatter", "Scatter(sendbuf, recvbuf, root=0): cuts the root's elements into equal shares.")
Gather = _of_programs("Gather", "Gather(sendbuf, recvbuf, root=0): puts the parts of all together at the root.")
Allgather = _of_programs("Allgather", "Allgather(sendbuf, recvbuf): the same at all ranks.")
Alltoall = _of_programs("Alltoall", "Alltoall(sendbuf, recvbuf): brings share r of each rank's part to the rank r.")
Create_cart = _of_programs("Create_cart", "grid = Create_cart(dims, periods=None): all ranks in a grid, row by row; grid.Sub(...), grid.Bcast(...).")
Cart_create = _of_programs("Cart_create", "grid = Cart_create(dims): the same, in DaCe's words.")
Cart_sub = _of_programs("Cart_sub", "row = Cart_sub(grid, (False, True)): the ranks that differ in these dimensions only; grid.Sub((False, True)).")
BlockScatter = _of_programs("BlockScatter", "lA[:, :] = BlockScatter(A): cuts the root's A into a grid of blocks, row by row.")
BlockGather = _of_programs("BlockGather", "A[:] = BlockGather(lA): puts the blocks of all together at the root.")
