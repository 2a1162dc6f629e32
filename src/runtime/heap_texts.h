// Texts of numbers for programs over one memory (heap.h), as Python writes them.
#pragma once

#include "heap_lists.h"

namespace sluice::heap {

/// Code points of a number in the words of Python's format: `[[fill]align][sign][0][width][,][.precision][type]`.
class Shown {
public:
    explicit Shown(const char* spec) {
        if (spec[0] && (spec[1] == '<' || spec[1] == '>' || spec[1] == '^' || spec[1] == '='))
            fill_ = *spec++, align_ = *spec++;
        else if (*spec == '<' || *spec == '>' || *spec == '^' || *spec == '=')
            align_ = *spec++;
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
            count = print(type_ == 'F' || type_ == 'E' || type_ == 'G' ? (value != value ? "NAN" : "INF")
                                                                       : (value != value ? "nan" : "inf"));
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
        while (whole < count && ((text[whole] >= '0' && text[whole] <= '9') ||
                                 (type_ != 0 && group == 4 && text[whole] >= 'A' && text[whole] <= 'f')))
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
/// The float that the code points spell, in the usual words; Python knows the others, and what is none.
inline double parsed(const int64_t* points, int64_t count) {
    char text[64];
    int64_t at = 0, end = count, digits = 0;
    const auto blank = [](int64_t c) { return c == ' ' || (c >= 9 && c <= 13); };
    while (at < end && blank(points[at])) ++at;
    while (at < end && blank(points[end - 1])) --end;
    if (end - at >= int64_t(sizeof text)) raise(kPython);
    const int64_t size = end - at;
    for (int64_t k = 0; k < size; ++k) text[k] = points[at + k] < 128 ? char(points[at + k]) : '?';
    text[size] = 0;
    int64_t k = text[0] == '-' || text[0] == '+';
    const auto skip_digits = [&] {
        for (; text[k] >= '0' && text[k] <= '9'; ++k) ++digits;
    };
    skip_digits();
    if (text[k] == '.') ++k, skip_digits();
    if (digits == 0) raise(kPython);
    if (text[k] == 'e' || text[k] == 'E') {
        k += text[k + 1] == '-' || text[k + 1] == '+' ? 2 : 1;
        digits = 0, skip_digits();
        if (digits == 0) raise(kPython);
    }
    if (k != size) raise(kPython);
    return strtod(text, nullptr);
}

template <class T> void show(List<int64_t>& out, const T& value, const char* spec) {
    Shown(spec).put(out, value);
}

}  // namespace sluice::heap
