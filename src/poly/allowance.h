// What many questions to isl may cost together.
#pragma once

namespace sluice::poly {

/// Grants all budgets of this thread (budget.h), until its end, that many allocations of numbers together (some 3 million a
/// second): a budget gets at most what those before it have left, and once nothing is left every question is "not known". The
/// outermost allowance of a thread counts.
class Allowance {
public:
    explicit Allowance(unsigned long allocations);
    ~Allowance();
    Allowance(const Allowance&) = delete;
    Allowance& operator=(const Allowance&) = delete;
    bool used_up() const;

private:
    bool outermost_;
};

}  // namespace sluice::poly
