// What a question to isl may cost.
#pragma once

namespace sluice::poly {

/// Grants every question asked until its end that many steps of isl's inner loops (some 10 million a second), 1.5 times as many
/// allocations of numbers (some 3 million a second), and kMemory bytes for the numbers of its constraints, which few steps can copy
/// without bound; beyond any of them they are all "not known". The outermost budget of a thread counts; one inside it changes
/// nothing.
class Budget {
public:
    static constexpr unsigned long kDefault = 2'000'000;
    static constexpr long kMemory = 1L << 28;
    explicit Budget(unsigned long operations = kDefault, long memory = kMemory);
    ~Budget();
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;
    bool exceeded() const;

private:
    bool outermost_;
};

}  // namespace sluice::poly
