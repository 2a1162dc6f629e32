// Programs over one memory (frontend/python/heap.h): Python's arithmetic on integers of 64 bits and floats, lists of all elements of
// a kind, the lookup of keys, and how results leave. What Python would raise, or what does not fit, is a Raised.
#pragma once

#include "abi.h"
#include "interruption.h"
#include "memory.h"

extern "C" {
double strtod(const char*, char**) noexcept;
}

namespace sluice::heap {

/// What ends a program: one of these, or a `raise` of its own, from kFirstRaise on.
enum Why : int64_t { kNothing, kOverflow, kZeroDivision, kDomain, kFloatRange, kShift, kDepth, kUnbound, kBeyond, kMemory, kFirstRaise };
struct Raised {
    int64_t why;
};
[[noreturn, gnu::cold, gnu::noinline]] inline void raise(int64_t why) {
    throw Raised{why};
}

/// A variable that has no value yet.
template <class T> T unbound() {
    raise(kUnbound);
}
/// How often a range is gone through.
inline uint64_t steps(int64_t begin, int64_t end, int64_t step) {
    if (step == 0) raise(kDomain);
    if (step > 0) return begin < end ? (uint64_t(end) - uint64_t(begin) - 1) / uint64_t(step) + 1 : 0;
    return begin > end ? (uint64_t(begin) - uint64_t(end) - 1) / (0 - uint64_t(step)) + 1 : 0;
}

/// A number of which only the run knows whether it is an integer or a float.
struct Open {
    int64_t whole = 0;
    double real = 0;
    bool is_real = false;
    Open() = default;
    Open(int64_t value) : whole(value) {}
    Open(double value) : real(value), is_real(true) {}
    double as_real() const { return is_real ? real : double(whole); }
};

// ---- integers -------------------------------------------------------------------------------------------------------------
inline int64_t add(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_add_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t sub(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_sub_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t mul(int64_t a, int64_t b) {
    int64_t r;
    if (__builtin_expect(__builtin_mul_overflow(a, b, &r), 0)) raise(kOverflow);
    return r;
}
inline int64_t neg(int64_t a) {
    return sub(0, a);
}
inline int64_t absolute(int64_t a) {
    return a < 0 ? neg(a) : a;
}
inline int64_t floordiv(int64_t a, int64_t b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroDivision);
    if (__builtin_expect(b == -1, 0)) return neg(a);
    const int64_t q = a / b;
    return q - ((a % b != 0) & ((a ^ b) < 0));
}
inline int64_t mod(int64_t a, int64_t b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroDivision);
    if (__builtin_expect(b == -1, 0)) return 0;
    const int64_t r = a % b;
    return r + (((r != 0) & ((r ^ b) < 0)) ? b : 0);
}
/// The quotient of integers that doubles hold is rounded once.
inline double truediv(int64_t a, int64_t b) {
    constexpr int64_t kExact = int64_t(1) << 53;
    if (__builtin_expect(b == 0, 0)) raise(kZeroDivision);
    if (__builtin_expect(a > kExact || a < -kExact || b > kExact || b < -kExact, 0)) raise(kBeyond);
    return double(a) / double(b);
}
inline int64_t power(int64_t a, int64_t b) {
    if (b < 0) raise(kBeyond);  // A float in Python.
    int64_t result = 1;
    for (int64_t base = a;;) {
        if (b & 1) result = mul(result, base);
        if ((b >>= 1) == 0) return result;
        if (base == 0 || base == 1 || (base == -1 && (b & 1) == 0)) return base == 0 ? 0 : result;
        base = mul(base, base);
    }
}
inline int64_t shl(int64_t a, int64_t b) {
    if (b < 0) raise(kShift);
    if (a == 0) return 0;
    if (b > 62) raise(kOverflow);
    return mul(a, int64_t(1) << b);
}
inline int64_t shr(int64_t a, int64_t b) {
    if (b < 0) raise(kShift);
    return a >> (b > 63 ? 63 : b);
}

// ---- floats ---------------------------------------------------------------------------------------------------------------
inline double add(double a, double b) {
    return a + b;
}
inline double sub(double a, double b) {
    return a - b;
}
inline double mul(double a, double b) {
    return a * b;
}
inline double neg(double a) {
    return -a;
}
inline double absolute(double a) {
    return __builtin_fabs(a);
}
inline double truediv(double a, double b) {
    if (__builtin_expect(b == 0, 0)) raise(kZeroDivision);
    return a / b;
}
/// As CPython's float_divmod.
inline double mod(double a, double b) {
    if (b == 0) raise(kZeroDivision);
    const double r = __builtin_fmod(a, b);
    if (r == 0) return __builtin_copysign(0.0, b);
    return (r < 0) != (b < 0) ? r + b : r;
}
inline double floordiv(double a, double b) {
    if (b == 0) raise(kZeroDivision);
    double r = __builtin_fmod(a, b), q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q -= 1.0;
    if (q == 0) return __builtin_copysign(0.0, a / b);
    const double whole = __builtin_floor(q);
    return q - whole > 0.5 ? whole + 1.0 : whole;
}
inline double power(double a, double b) {
    if (a == 0 && b < 0) raise(kZeroDivision);
    if (a < 0 && __builtin_isfinite(a) && __builtin_isfinite(b) && b != __builtin_floor(b)) raise(kBeyond);  // Complex in Python.
    const double r = __builtin_pow(a, b);
    if (__builtin_isinf(r) && __builtin_isfinite(a) && __builtin_isfinite(b)) raise(kFloatRange);
    return r;
}
inline int64_t to_integer(double a) {
    if (!(a > -9223372036854775808.0 && a < 9223372036854775808.0)) raise(kBeyond);
    return int64_t(a);
}
inline int64_t to_integer(int64_t a) {
    return a;
}
inline int64_t to_integer(Open a) {
    return a.is_real ? to_integer(a.real) : a.whole;
}
inline double to_real(double a) {
    return a;
}
inline double to_real(int64_t a) {
    return double(a);
}
inline double to_real(Open a) {
    return a.as_real();
}
/// To the nearest, halves to even.
inline int64_t rounded(double a) {
    return to_integer(__builtin_nearbyint(a));
}
inline int64_t rounded(int64_t a) {
    return a;
}
inline double rounded(double a, int64_t digits) {
    if (!__builtin_isfinite(a)) return a;
    if (digits > 300 || digits < 0) raise(kBeyond);
    char text[700];
    __builtin_snprintf(text, sizeof text, "%.*f", int(digits), a);
    return strtod(text, nullptr);
}
/// A function of math's, with its errors.
template <class F> double checked(const F& f, double a) {
    const double r = f(a);
    if (__builtin_expect(__builtin_isnan(r) && !__builtin_isnan(a), 0)) raise(kDomain);
    if (__builtin_expect(__builtin_isinf(r) && __builtin_isfinite(a), 0)) raise(kFloatRange);
    return r;
}
inline int64_t gcd(int64_t a, int64_t b) {
    for (a = absolute(a), b = absolute(b); b != 0;) {
        const int64_t r = a % b;
        a = b, b = r;
    }
    return a;
}
inline int64_t isqrt(int64_t n) {
    if (n < 0) raise(kDomain);
    int64_t r = int64_t(__builtin_sqrt(double(n)));
    while (r > 3037000499 || r * r > n) --r;
    while (r < 3037000499 && (r + 1) * (r + 1) <= n) ++r;
    return r;
}
inline int64_t factorial(int64_t n) {
    if (n < 0) raise(kDomain);
    int64_t r = 1;
    for (int64_t k = 2; k <= n; ++k) r = mul(r, k);
    return r;
}

// ---- numbers of several types ----------------------------------------------------------------------------------------------
#define SLUICE_HEAP_MIXED(name)                                                                              \
    inline double name(int64_t a, double b) { return name(double(a), b); }                                   \
    inline double name(double a, int64_t b) { return name(a, double(b)); }                                   \
    inline Open name(Open a, Open b) {                                                                       \
        return a.is_real || b.is_real ? Open(name(a.as_real(), b.as_real())) : Open(name(a.whole, b.whole)); \
    }
SLUICE_HEAP_MIXED(add)
SLUICE_HEAP_MIXED(sub)
SLUICE_HEAP_MIXED(mul)
SLUICE_HEAP_MIXED(floordiv)
SLUICE_HEAP_MIXED(mod)
SLUICE_HEAP_MIXED(truediv)
SLUICE_HEAP_MIXED(power)
#undef SLUICE_HEAP_MIXED
inline Open neg(Open a) {
    return a.is_real ? Open(-a.real) : Open(neg(a.whole));
}
inline Open absolute(Open a) {
    return a.is_real ? Open(absolute(a.real)) : Open(absolute(a.whole));
}
inline bool truth(int64_t a) {
    return a != 0;
}
inline bool truth(double a) {
    return a != 0;
}
inline bool truth(bool a) {
    return a;
}
inline bool truth(Open a) {
    return a.is_real ? a.real != 0 : a.whole != 0;
}
/// -1, 0, 1, or 2 where one is NaN: exact for integers that no double holds.
inline int order(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}
inline int order(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2;
}
inline int order(int64_t a, double b) {
    if (b != b) return 2;
    if (b >= 9223372036854775808.0) return -1;
    if (b < -9223372036854775808.0) return 1;
    const double whole = __builtin_trunc(b);
    const int first = order(a, int64_t(whole));
    return first != 0 ? first : order(whole, b);
}
inline int order(double a, int64_t b) {
    const int other = order(b, a);
    return other == 2 ? 2 : -other;
}
inline int order(Open a, Open b) {
    return a.is_real ? (b.is_real ? order(a.real, b.real) : order(a.real, b.whole))
                     : (b.is_real ? order(a.whole, b.real) : order(a.whole, b.whole));
}

// ---- lists -----------------------------------------------------------------------------------------------------------------
inline constexpr int64_t kMost = 2147483647;

/// All elements of a kind, or the places of all rows: its memory stays where it is.
template <class T> struct List {
    Reservation<T> memory;
    T* data;
    int64_t size = 0;

    List() : memory({"a list"}, kMost), data(memory.data()) {}
    void append(const T& value) {
        if (__builtin_expect(size >= kMost, 0)) raise(kMemory);
        data[size++] = value;
    }
    /// Room for so many more; where it begins.
    int64_t enlarge(int64_t count) {
        if (__builtin_expect(count > kMost - size, 0)) raise(kMemory);
        size += count;
        return size - count;
    }
    void extend(const T* from, int64_t count) {
        if (__builtin_expect(count > kMost - size, 0)) raise(kMemory);
        if (count > 0) __builtin_memcpy(static_cast<void*>(data + size), from, size_t(count) * sizeof(T));
        size += count;
    }
};

inline uint64_t mixed(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}
inline uint64_t hash_of(int64_t key) {
    return mixed(0x51ed270b, uint64_t(key));
}

/// A list of keys, each once, with where each is: open addressing, which follows the list when it is asked.
template <class T> struct Keys : List<T> {
    Buffer<int64_t> slots;
    int64_t room = 0;

    /// The place of the key, and the length of the list where it is not in it.
    int64_t find(const T& key) {
        if (2 * (this->size + 1) > room) grow();
        for (uint64_t at = hash_of(key) & uint64_t(room - 1);; at = (at + 1) & uint64_t(room - 1)) {
            const int64_t place = slots.data()[at];
            if (place == 0) return this->size;
            if (this->data[place - 1] == key) return place - 1;
        }
    }
    void append(const T& key) {
        if (2 * (this->size + 1) > room) grow();
        List<T>::append(key);
        put(key, this->size);
    }

private:
    void put(const T& key, int64_t place) {
        uint64_t at = hash_of(key) & uint64_t(room - 1);
        while (slots.data()[at] != 0) at = (at + 1) & uint64_t(room - 1);
        slots.data()[at] = place;
    }
    void grow() {
        room = room == 0 ? 32 : 4 * room;
        slots.allocate({"keys"}, room, 64, true);
        for (int64_t k = 0; k < this->size; ++k) put(this->data[k], k + 1);
    }
};

// ---- texts of numbers ----------------------------------------------------------------------------------------------------------
/// Code points of a number in the words of Python's format: `[[fill]align][sign][0][width][,][.precision][type]`.
class Shown {
public:
    explicit Shown(const char* spec) {
        if (spec[0] && (spec[1] == '<' || spec[1] == '>' || spec[1] == '^' || spec[1] == '=')) fill_ = *spec++, align_ = *spec++;
        else if (*spec == '<' || *spec == '>' || *spec == '^' || *spec == '=') align_ = *spec++;
        if (*spec == '+' || *spec == '-' || *spec == ' ') sign_ = *spec++;
        if (*spec == '0') {
            ++spec;
            if (!align_) fill_ = '0', align_ = '=';
        }
        while (*spec >= '0' && *spec <= '9') width_ = 10 * width_ + (*spec++ - '0');
        if (*spec == ',' || *spec == '_') group_ = *spec++;
        if (*spec == '.') {
            ++spec;
            for (precision_ = 0; *spec >= '0' && *spec <= '9';) precision_ = 10 * precision_ + (*spec++ - '0');
        }
        type_ = *spec;
    }

    void put(List<int64_t>& out, int64_t value) {
        if (type_ == 'f' || type_ == 'F' || type_ == 'e' || type_ == 'E' || type_ == 'g' || type_ == 'G' || type_ == '%') {
            if (absolute(value) > int64_t(1) << 53) raise(kBeyond);
            return put(out, double(value));
        }
        uint64_t rest = value < 0 ? 0 - uint64_t(value) : uint64_t(value);
        const unsigned base = type_ == 'x' || type_ == 'X' ? 16 : type_ == 'o' ? 8 : type_ == 'b' ? 2 : 10;
        const char* const digits = type_ == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
        int at = kSize;
        do text_[--at] = digits[rest % base];
        while ((rest /= base) != 0);
        finish(out, text_ + at, kSize - at, value < 0, base == 10 ? 3 : 4);
    }
    void put(List<int64_t>& out, double value) {
        const bool negative = __builtin_signbit(value) && value == value;
        const double size = __builtin_fabs(value);
        int count = 0;
        if (!__builtin_isfinite(value))
            count = print(type_ == 'F' || type_ == 'E' || type_ == 'G' ? (value != value ? "NAN" : "INF") : (value != value ? "nan" : "inf"));
        else if (type_ == 0 && precision_ < 0)
            count = shortest(size);
        else if (type_ == '%')
            count = __builtin_snprintf(text_, kSize, "%.*f", precision_ < 0 ? 6 : precision_, size * 100);
        else {
            const char how[] = {'%', '.', '*', type_, 0};
            count = __builtin_snprintf(text_, kSize, how, precision_ < 0 ? 6 : precision_, size);
        }
        if (type_ == '%') text_[count++] = '%';
        finish(out, text_, count, negative, 3);
    }
    void put(List<int64_t>& out, const Open& value) { value.is_real ? put(out, value.real) : put(out, value.whole); }

private:
    static constexpr int kSize = 512;

    int print(const char* word) { return __builtin_snprintf(text_, kSize, "%s", word); }
    /// The fewest digits that are read back as the value, as `repr` writes them.
    int shortest(double value) {
        char digits[40];
        int precision = 0;
        do __builtin_snprintf(digits, sizeof digits, "%.*e", precision, value);
        while (strtod(digits, nullptr) != value && ++precision < 17);
        int exponent = 0, at = 0;
        while (digits[at] != 'e') ++at;
        const bool below = digits[at + 1] == '-';
        for (int k = at + 2; digits[k]; ++k) exponent = 10 * exponent + (digits[k] - '0');
        if (below) exponent = -exponent;
        if (exponent >= 16 || exponent < -4) return __builtin_snprintf(text_, kSize, "%.*e", precision, value);
        return __builtin_snprintf(text_, kSize, "%.*f", precision > exponent ? precision - exponent : 1, value);
    }

    void finish(List<int64_t>& out, const char* text, int count, bool negative, int group) {
        const int before = negative || sign_ == '+' || sign_ == ' ';
        int whole = 0;
        while (whole < count && ((text[whole] >= '0' && text[whole] <= '9') || (type_ != 0 && group == 4 && text[whole] >= 'A' && text[whole] <= 'f')))
            ++whole;
        const int commas = group_ && whole > 0 ? (whole - 1) / group : 0, length = before + count + commas;
        if (group_ && fill_ == '0' && align_ == '=' && length < width_) raise(kBeyond);  // Zeros among the groups.
        const int missing = width_ > length ? width_ - length : 0;
        const char align = align_ ? align_ : '>';
        const int left = align == '>' ? missing : align == '^' ? missing / 2 : 0, inside = align == '=' ? missing : 0;
        for (int k = 0; k < left; ++k) out.append(fill_);
        if (before) out.append(negative ? '-' : sign_);
        for (int k = 0; k < inside; ++k) out.append(fill_);
        for (int k = 0; k < count; ++k) {
            if (commas && k > 0 && k < whole && (whole - k) % group == 0) out.append(group_);
            out.append(text[k]);
        }
        for (int k = left + inside; k < missing; ++k) out.append(fill_);
    }

    char fill_ = ' ', align_ = 0, sign_ = 0, group_ = 0, type_ = 0;
    int width_ = 0, precision_ = -1;
    char text_[kSize];
};
template <class T> void show(List<int64_t>& out, const T& value, const char* spec) {
    Shown(spec).put(out, value);
}

/// Counts calls that may call themselves: a stack is finite.
struct Depth {
    int64_t& depth;
    explicit Depth(int64_t& of) : depth(of) {
        if (__builtin_expect(++depth > 2500, 0)) {
            --depth;
            raise(kDepth);
        }
    }
    Depth(const Depth&) = delete;
    ~Depth() { --depth; }
};

// ---- arguments and results -----------------------------------------------------------------------------------------------------------------
/// What is given, as a row of integers and one of floats: objects as they are met, each behind -1, later its number.
struct Given {
    const int64_t* whole = nullptr;
    const double* real = nullptr;
    List<int64_t> rows, forms;  ///< Of objects, and the form of those that may change, or -1.

    int64_t next() { return *whole++; }
    double next_real() { return *real++; }
    void note(int64_t row, int64_t form) { rows.append(row), forms.append(form); }
};

/// What is returned, as one row of integers and one of floats, in memory of the caller's. An object is written where it is met
/// first, behind -1; later its number among those that were.
struct Writer {
    int64_t* whole;
    double* real;
    int64_t wholes = 0, reals = 0;
    Keys<int64_t> seen;

    Writer(int64_t* integers, double* floats) : whole(integers), real(floats) {}
    void put(int64_t value) {
        if (__builtin_expect(wholes >= kMost, 0)) raise(kMemory);
        whole[wholes++] = value;
    }
    void put(bool value) { put(int64_t(value)); }
    void put(double value) {
        if (__builtin_expect(reals >= kMost, 0)) raise(kMemory);
        real[reals++] = value;
    }
    void put(const Open& value) {
        put(value.is_real);
        value.is_real ? put(value.real) : put(value.whole);
    }
    /// Whether the contents of the object have to follow.
    bool is_new(int64_t object) {
        const int64_t place = seen.find(object);
        if (place < seen.size) {
            put(place);
            return false;
        }
        seen.append(object);
        put(int64_t(-1));
        return true;
    }
};

}  // namespace sluice::heap
