#include "fuzz/generate/expressions.h"

namespace sluice::fuzz {

namespace {

bool is_bool(Scalar type) {
    return type == Scalar::Bool;
}
bool is_real(Scalar type) {
    return code::is_floating(type);
}
bool is_any_integer(Scalar type) {
    return code::is_integer(type);
}

}  // namespace

const Operand* Expressions::operand(bool (*fits)(Scalar)) {
    std::vector<const Operand*> found;
    for (const Operand& each : operands_)
        if (fits(each.type)) found.push_back(&each);
    return found.empty() ? nullptr : random_.pick(found);
}

std::string Expressions::of_type(Scalar type, int depth) {
    if (type == Scalar::Bool) return boolean(depth);
    if (code::is_complex(type)) return complex(depth);
    if (code::is_floating(type)) return random_.chance(15) ? whole(depth) : real(depth);
    if (random_.chance(85)) return whole(depth);
    if (random_.chance(30)) return boolean(depth);
    const std::string value = real(depth - 1);
    const std::string least = code::is_signed(type) ? "-100.0" : "0.0";
    return "(" + value + ") if (" + value + ") >= " + least + " and (" + value + ") < 100.0 else 3.0";
}

std::string Expressions::boolean(int depth) {
    if (depth <= 0 || random_.chance(15)) {
        if (const Operand* found = operand(is_bool)) return found->text;
        return random_.chance(50) ? "True" : whole_leaf() + " > 1";
    }
    static const std::vector<std::string> kCompare = {"<", "<=", ">", ">=", "==", "!="};
    switch (random_.below(6)) {
        case 0:
            return "(" + boolean(depth - 1) + ") and (" + boolean(depth - 1) + ")";
        case 1:
            return "(" + boolean(depth - 1) + ") or (" + boolean(depth - 1) + ")";
        case 2:
            return "not (" + boolean(depth - 1) + ")";
        case 3:
            return "(" + real(depth - 1) + ") " + random_.pick(kCompare) + " (" + real(depth - 1) + ")";
        default:
            return "(" + whole(depth - 1) + ") " + random_.pick(kCompare) + " (" + whole(depth - 1) + ")";
    }
}

std::string Expressions::whole_leaf() {
    const Operand* found = random_.chance(75) ? operand(is_any_integer) : nullptr;
    if (found) return found->type == Scalar::UInt64 ? "int64(" + found->text + ")" : found->text;
    const Operand* truth = random_.chance(20) ? operand(is_bool) : nullptr;
    if (truth) return "int32(" + truth->text + ")";
    return std::to_string(random_.below(8));
}

std::string Expressions::whole(int depth) {
    if (depth <= 0 || random_.chance(15)) return whole_leaf();
    static const std::vector<std::string> kArithmetic = {"+", "-", "*", "+", "-", "*", "//", "%", "&", "|", "^"};
    switch (random_.below(9)) {
        case 0:
            return std::string(random_.chance(50) ? "min" : "max") + "(" + whole(depth - 1) + ", " + whole(depth - 1) + ")";
        case 1:
            return "(" + whole(depth - 1) + " if " + boolean(depth - 1) + " else " + whole(depth - 1) + ")";
        case 2: {
            static const std::vector<std::string> kUnary = {"-(", "abs(", "~("};
            return random_.pick(kUnary) + whole(depth - 1) + ")";
        }
        case 3: {
            const std::string shift = random_.chance(50) ? " << " : " >> ";
            return "(" + whole(depth - 1) + ")" + shift + std::to_string(random_.below(7));
        }
        case 4: {
            static const std::vector<std::string> kCasts = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"};
            return random_.pick(kCasts) + "(" + whole(depth - 1) + ")";
        }
        default:
            return "(" + whole(depth - 1) + ") " + random_.pick(kArithmetic) + " (" + whole(depth - 1) + ")";
    }
}

std::string Expressions::real_leaf() {
    const Operand* found = random_.chance(75) ? operand(is_real) : nullptr;
    if (found) return found->text;
    if (random_.chance(40)) return "float64(" + whole_leaf() + ")";
    static const std::vector<std::string> kLiterals = {"0.25", "0.5", "1.0", "1.5", "2.0", "3.0"};
    return random_.pick(kLiterals);
}

std::string Expressions::real(int depth) {
    if (depth <= 0 || random_.chance(15)) return real_leaf();
    static const std::vector<std::string> kArithmetic = {"+", "-", "*", "+", "-", "*", "/", "//", "%"};
    switch (random_.below(8)) {
        case 0:
            return std::string(random_.chance(50) ? "min" : "max") + "(" + real(depth - 1) + ", " + real(depth - 1) + ")";
        case 1:
            return "(" + real(depth - 1) + " if " + boolean(depth - 1) + " else " + real(depth - 1) + ")";
        case 2: {
            static const std::vector<std::string> kUnary = {"-(", "abs(", "floor(", "ceil("};
            return random_.pick(kUnary) + real(depth - 1) + ")";
        }
        case 3: {
            static const std::vector<std::string> kCasts = {"float16", "float32", "float64"};
            return random_.pick(kCasts) + "(" + real(depth - 1) + ")";
        }
        case 4:
            return "sqrt(abs(" + real(depth - 1) + "))";
        default:
            return "(" + real(depth - 1) + ") " + random_.pick(kArithmetic) + " (" + real(depth - 1) + ")";
    }
}

std::string Expressions::complex_leaf() {
    if (const Operand* found = random_.chance(80) ? operand(code::is_complex) : nullptr) return found->text;
    return std::string(random_.chance(50) ? "complex64(" : "complex128(") + real_leaf() + ")";
}

std::string Expressions::complex(int depth) {
    if (depth <= 0 || random_.chance(15)) return complex_leaf();
    static const std::vector<std::string> kArithmetic = {"+", "-", "*"};
    switch (random_.below(6)) {
        case 0:
            return "(" + complex(depth - 1) + " if " + boolean(depth - 1) + " else " + complex(depth - 1) + ")";
        case 1:
            return "-(" + complex(depth - 1) + ")";
        case 2:
            return "(" + complex(depth - 1) + ") * (" + real(depth - 1) + ")";
        default:
            return "(" + complex(depth - 1) + ") " + random_.pick(kArithmetic) + " (" + complex(depth - 1) + ")";
    }
}

}  // namespace sluice::fuzz
