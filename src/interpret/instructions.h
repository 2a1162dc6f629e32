// The compact form of a tasklet: straight instructions over registers, each with the function that carries it out.
//
// A program is compiled once from its syntax tree and run for every execution of the tasklet. Registers keep their values
// between runs: constants are written when the program is made. Programs are run by one thread and do not call each other,
// except that a store may run the program of a write-conflict resolution, which owns its own registers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "code/infer.h"
#include "interpret/numbers.h"

namespace sluice::interpret {

struct Frame;
struct Port;
class Machine;

struct Execution {
    Cell* registers;
    Machine* machine;
    Frame* frame;
    std::vector<Port>* ports;
};

struct Instruction;
using Operation = const Instruction* (*)(const Instruction* at, Execution& run);
/// What the operands mean is the operation's affair; mostly registers. A null operation ends the program.
struct Instruction {
    Operation operation = nullptr;
    std::uint32_t to = 0, a = 0, b = 0, c = 0;
};

struct Program {
    std::vector<Instruction> instructions;
    std::vector<Cell> registers;

    void run(Machine& machine, Frame& frame, std::vector<Port>* ports) {
        Execution execution{registers.data(), &machine, &frame, ports};
        for (const Instruction* at = instructions.data(); at->operation;) at = at->operation(at, execution);
    }
};

// Operations by type; null if the machine has none for it. Operands are registers of type `scalar`, converted beforehand.
Operation conversion(Scalar from, Scalar to);
Operation move();
/// Arithmetic with NumPy's meaning: `//` and `%` round to minus infinity, integers wrap, division by zero gives 0.
Operation arithmetic(code::BinaryOp op, Scalar scalar);
/// The result is a bool.
Operation comparison(code::CompareOp op, Scalar scalar);
Operation negation(Scalar scalar);
Operation inversion(Scalar scalar);
Operation logical_not();
/// A function of the table in code/infer.h by its canonical name; the result has the type that code::infer gives.
Operation function(std::string_view name, std::size_t arity, Scalar scalar);
/// Jumps: `c` is the number of the next instruction minus the number of this one.
Operation jump();
Operation jump_if_not();
Operation jump_if();
/// Ends the run: I010.
Operation failed_assertion();

}  // namespace sluice::interpret
