// The parser of the Python subset: what parses, prints and parses as the same tree.
#include "code/parse.h"
#include "code/print.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    const std::string source(reinterpret_cast<const char*>(data), size);
    for (const bool tolerate : {false, true}) {
        const Result<code::Body> body = code::parse_body(source, {.file = "f", .tolerate_unsupported = tolerate});
        if (!body.ok()) {
            fuzz::demand_told(body.error());
            render(body.error(), source);
            continue;
        }
        const std::string printed = code::to_string(*body);
        const Result<code::Body> again = code::parse_body(printed, {.file = "f", .tolerate_unsupported = tolerate});
        fuzz::demand(again.ok(), "a printed body parses", again.ok() ? "" : render(again.error(), printed) + printed);
        fuzz::demand(code::to_string(*again) == printed, "printing a body is stable", printed);
    }
    if (const Result<code::ExprPtr> e = code::parse_expr(source); e.ok()) {
        const std::string printed = code::to_string(**e);
        const Result<code::ExprPtr> again = code::parse_expr(printed);
        fuzz::demand(again.ok() && code::to_string(**again) == printed, "printing an expression is stable", printed);
    }
    return 0;
}
