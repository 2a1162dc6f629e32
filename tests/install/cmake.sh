#!/usr/bin/env bash
# `cmake --install`: the README's C++ program built by find_package, by pkg-config and by `sluice --prefix`, from a tree that was moved.
. "$(dirname "$0")/common.sh"

cmake --build "$BUILD" --target sluice sdfgcc sluice_shared > build.log || { cat build.log; exit 1; }
cmake --install "$BUILD" --component sluice --prefix "$WORK/first" > /dev/null
mv first moved
snippet "For the tool builder" cpp > axpy.cpp
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user CXX)
find_package(Sluice 0.1 REQUIRED)
add_executable(axpy axpy.cpp)
target_link_libraries(axpy PRIVATE Sluice::sluice)
END
cmake -B user -DCMAKE_PREFIX_PATH="$WORK/moved" > /dev/null
cmake --build user > /dev/null
./user/axpy
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH=$WORK/moved/lib/pkgconfig
    g++ axpy.cpp $(pkg-config --cflags --libs sluice) -Wl,-rpath,"$WORK/moved/lib" -o axpy
    ./axpy
fi
prefix=$(moved/bin/sluice --prefix)
[ "$prefix" = "$WORK/moved" ]
g++ -std=c++20 axpy.cpp -I"$prefix/include/sluice" -L"$prefix/lib" -lsluice -Wl,-rpath,"$prefix/lib" -o axpy
./axpy
cat > rows.cpp <<'END'
#include "schedule/schedule.h"
int main() {
    sluice::schedule::Function f("rows");
    f.constant("N");
    f.input("A", {"N", "N"});
    sluice::schedule::Computation doubled = f.computation("doubled", {{"i", "0", "N"}, {"j", "0", "N"}}, "2.0 * A[i, j]");
    doubled.tile("i", "j", 32, 32, "i0", "j0", "i1", "j1");
    return f.build({doubled}).ok() ? 0 : 1;
}
END
g++ -std=c++20 rows.cpp -I"$prefix/include/sluice" -L"$prefix/lib" -lsluice -Wl,-rpath,"$prefix/lib" -o rows
./rows
expect "Sluice::sluice" grep -r "Sluice::sluice" moved/lib/cmake
expect "C014" "$BUILD/bin/sluice" --prefix
expect "sluice compile" moved/bin/sdfgcc --help
if grep -rl "$SOURCE" moved/lib/cmake moved/lib/pkgconfig; then exit 1; fi
echo "cmake: ok"
