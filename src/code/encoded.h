// Statements that the front end writes out before it translates anything read as calls of functions that no program can name:
//     nonlocal a, b    ->  nonlocal(a, b)            yield x  ->  yield(x)
//     lambda x, k=a: E  ->  lambda(lambda x, k: E, k=a)
//     try: A           ->  if try(): A               except (E, F) as e: B  ->  if except(E, F, e=e): B
//     except E: B          else: if except(E): B     else: C                ->  if else(): C
//                                                    finally: D             ->  if finally(): D
#pragma once

namespace sluice::code {

inline constexpr const char* kNonlocal = "nonlocal";
inline constexpr const char* kYield = "yield";
inline constexpr const char* kLambda = "lambda";
inline constexpr const char* kTry = "try";
inline constexpr const char* kExcept = "except";
inline constexpr const char* kElse = "else";
inline constexpr const char* kFinally = "finally";

}  // namespace sluice::code
