#include <utility>

#include "loop/parser.h"
#include "loop/text.h"

namespace sluice::loop {

namespace {

constexpr std::size_t kMostBodies = 500;
enum class Axis : std::uint8_t { X, Y, Z };

}  // namespace

// ---- statements ---------------------------------------------------------------------------------------------------------
/// The lines below the head, indented further.
Body Parser::body() {
    Body result;
    level_ += 2;
    if (level_ > 2 * kMostBodies) error("X007", "bodies nest too deeply", "move a part into a function");
    while (!finished_ && indent_ == level_) result.push_back(statement());
    if (!finished_ && indent_ > level_) error("X001", "this line is indented too far", "indent a body by two spaces");
    level_ -= 2;
    return result;
}

/// What a statement came from is said where it differs from what the statement around came from.
void Parser::end_of_head() {
    if (accept_word("from")) {
        const std::string path = quoted();
        origin_ = path.empty() ? 0 : origins_.of(path);
    }
    end_of_line();
}

Statement Parser::statement() {
    const OriginId around = origin_;
    const std::string word = name();
    for (const auto part :
         {&Parser::data_statement, &Parser::stream_statement, &Parser::message_statement, &Parser::control_statement})
        if (auto found = (this->*part)(word)) {
            found->origin = std::exchange(origin_, around);
            return std::move(*found);
        }
    at_ -= word.size();
    error("X003", "`" + word + "` begins no statement", "docs/loop-text.md lists the statements");
}

std::optional<Statement> Parser::data_statement(std::string_view word) {
    const auto done = [&](auto node) {
        end_of_head();
        Statement result{std::move(node), {}};
        declare(result, names_);
        return result;
    };
    if (word == "var" || word == "const") return done(declaration(word == "const"));
    if (word == "set") {
        std::string variable = name();
        expect("=");
        return done(Assign{std::move(variable), value()});
    }
    if (word == "store") {
        std::string buffer = name();
        ValuePtr at = index();
        expect("=");
        return done(Store{std::move(buffer), std::move(at), value()});
    }
    if (word == "update") return done(update());
    if (word == "allocate") return done(allocation());
    if (word == "alias") {
        Alias alias{name(), type_behind_colon(), nullptr, false};
        if (accept("=")) alias.address = value();
        alias.restricted = accept_word("restricted");
        return done(std::move(alias));
    }
    if (word == "rebind") {
        std::string buffer = name();
        expect("=");
        return done(Rebind{std::move(buffer), value()});
    }
    if (word == "grow") {
        Grow grow{name(), 0};
        expect_word("size");
        grow.size = bare();
        return done(std::move(grow));
    }
    if (word == "copy") {
        CopyContiguous copy{nullptr, nullptr, bare(), type()};
        copy.source = value();
        expect("->");
        copy.destination = value();
        copy.queued = queued();
        return done(std::move(copy));
    }
    if (word == "event") return done(Event{name()});
    if (word == "await") return done(Await{name()});
    if (word == "prefetch") return done(Prefetch{value()});
    if (word == "zero") {
        ZeroFill fill{nullptr, bare(), type()};
        fill.destination = value();
        return done(std::move(fill));
    }
    return std::nullopt;
}

Queued Parser::queued() {
    Queued result;
    if (!accept_word("queue")) return result;
    result.queue = integer();
    expect_word("event");
    result.event = name();
    return result;
}

Declare Parser::declaration(bool constant) {
    Declare result{name(), type_behind_colon(), nullptr, constant};
    if (accept("=")) result.value = value();
    return result;
}

Update Parser::update() {
    Update result;
    result.conflict = one_of<Conflict>(kConflictWords);
    result.op = one_of<ReductionType>(kReductionWords);
    result.buffer = name();
    if (next_is("[")) result.index = index();
    expect_word("with");
    result.value = value();
    if (accept_word("into")) result.before = name();
    if (!accept_word("by")) return result;
    expect("(");
    result.old_name = name();
    expect(",");
    result.new_name = name();
    expect(")");
    expect("->");
    const NameTypes outside = names_;
    names_[result.old_name] = names_[result.new_name] = result.value->type;
    result.combine = value();
    names_ = outside;
    return result;
}

Allocate Parser::allocation() {
    Allocate result;
    result.name = name();
    result.type = type_behind_colon();
    expect_word("size");
    result.size = bare();
    result.place = one_of<Place>(kPlaceWords);
    if (result.place == Place::Mapped) result.file = quoted();
    if (accept_word("align")) result.alignment = integer();
    result.zero = accept_word("zero");
    result.space = memory_space();
    if (accept_word("bank")) result.bank = quoted();
    return result;
}

Space Parser::memory_space() {
    if (accept_word("constant")) return Space::Constant;
    return accept_word("global") ? Space::Global : accept_word("shared") ? Space::Shared : Space::Own;
}

std::optional<Statement> Parser::stream_statement(std::string_view word) {
    const auto done = [&](auto node) {
        end_of_head();
        Statement result{std::move(node), {}};
        declare(result, names_);
        return result;
    };
    if (word == "stream") {
        AllocateStream stream;
        stream.name = name();
        stream.type = type_behind_colon();
        expect_word("count");
        stream.count = bare();
        expect_word("capacity");
        stream.capacity = bare();
        return done(std::move(stream));
    }
    if (word == "push") {
        Push push{name(), index(), nullptr};
        push.value = value();
        return done(std::move(push));
    }
    if (word == "pop") {
        Pop pop{name(), index(), {}};
        pop.variable = name();
        return done(std::move(pop));
    }
    if (word == "drain") {
        Drain drain{name(), index(), nullptr, nullptr};
        drain.destination = value();
        if (accept_word("most")) drain.limit = value();
        return done(std::move(drain));
    }
    return std::nullopt;
}

Part Parser::part() {
    Part result;
    result.type = type();
    result.address = value();
    if (accept_word("over")) dimensions(result.extents, result.strides);
    return result;
}

void Parser::dimensions(std::vector<Expr>& extents, std::vector<Expr>& strides) {
    do {
        extents.push_back(bare());
        expect(":");
        strides.push_back(bare());
    } while (accept(","));
}

Ranks Parser::among() {
    Ranks result;
    if (!accept_word("among")) return result;
    result.first = bare();
    expect_word("over");
    dimensions(result.extents, result.strides);
    return result;
}

std::optional<Statement> Parser::message_statement(std::string_view word) {
    const auto done = [&](auto node) {
        end_of_head();
        return Statement{std::move(node), {}};
    };
    if (word == "send" || word == "receive") {
        Message message{.sends = word == "send", .part = part(), .peer = nullptr, .tag = nullptr, .request = nullptr};
        expect_word(message.sends ? "to" : "from");
        message.peer = value();
        expect_word("tag");
        message.tag = value();
        if (accept_word("request")) message.request = value();
        message.synchronous = message.sends && !message.request && accept_word("synchronous");
        message.among = among();
        return done(std::move(message));
    }
    if (word == "wait") return done(WaitFor{part()});
    if (word != "collective") return std::nullopt;
    Collective all;
    all.kind = one_of<Collective::Kind>(kCollectiveWords);
    if (all.kind == Collective::Kind::Reduce || all.kind == Collective::Kind::AllReduce)
        all.op = one_of<ReductionType>(kReductionWords);
    const auto ends = [&] { return at_end_of_line() || peek_word() == "root" || peek_word() == "among" || peek_word() == "from"; };
    if (!ends()) all.part = part();
    if (accept("->")) all.result = part();
    if (accept_word("root")) all.root = value();
    all.among = among();
    return done(std::move(all));
}

std::optional<Statement> Parser::control_statement(std::string_view word) {
    const auto simple = [&](auto node) {
        end_of_head();
        return Statement{std::move(node), {}};
    };
    const auto with_body = [&](auto node) {
        end_of_head();
        Statement head{std::move(node), {}};
        declare(head, names_);
        std::get<decltype(node)>(head.node).body = body();
        return head;
    };
    for (std::size_t mode = 0; mode < kModeWords.size(); ++mode)
        if (word == kModeWords[mode]) return with_body(loop(static_cast<LoopMode>(mode)));
    if (word == "while" || word == "repeat") return with_body(While{value(), word == "repeat", {}});
    if (word == "region") return with_body(region());
    if (word == "launch") return with_body(launch());
    if (word == "dataflow") return with_body(Launch{.kernel = name(), .dataflow = true, .body = {}});
    if (word == "consume") return with_body(consume());
    if (word == "block") return with_body(Block{next_is("\"") ? quoted() : std::string(), {}});
    if (word == "timed" || word == "counted") return with_body(Timed{quoted(), word == "counted", {}});
    if (word == "if") {
        If choice{value(), {}, {}};
        end_of_head();
        choice.then_body = body();
        if (!finished_ && indent_ == level_ && accept_word("else")) {
            end_of_line();
            choice.else_body = body();
        }
        return Statement{std::move(choice), {}};
    }
    if (word == "sections") {
        ParallelSections sections;
        end_of_head();
        level_ += 2;
        while (!finished_ && indent_ == level_) {
            expect_word("section");
            if (!at_end_of_line()) sections.names.push_back(name());
            end_of_line();
            sections.sections.push_back(body());
        }
        level_ -= 2;
        return Statement{std::move(sections), {}};
    }
    if (word == "invoke") {
        std::string function = name();
        return simple(Invoke{std::move(function), arguments()});
    }
    if (word == "extern") {
        Extern call{name(), quoted(), {}};
        call.arguments = arguments();
        if (accept_word("reads")) do
                call.read.push_back(static_cast<std::size_t>(integer()));
            while (accept(","));
        return simple(std::move(call));
    }
    if (word == "verbatim") return simple(Verbatim{quoted()});
    if (word == "fail") {
        std::string error = next_is_name() ? name() : std::string();
        Fail fail{quoted(), std::move(error), {}};
        if (next_is("(")) fail.arguments = arguments();
        return simple(std::move(fail));
    }
    if (word == "barrier") return simple(Barrier{});
    if (word == "break") return simple(Break{});
    if (word == "continue") return simple(Continue{});
    if (word == "return") return simple(Return{});
    if (word == "label") return simple(Label{name()});
    if (word == "goto") return simple(Goto{name()});
    return std::nullopt;
}

For Parser::loop(LoopMode mode) {
    For result;
    result.mode = mode;
    if (mode == LoopMode::Axis) {
        result.level = one_of<AxisLevel>(kLevelWords);
        result.axis = static_cast<std::size_t>(one_of<Axis>(kAxisWords));
    }
    result.variable = name();
    expect_word("in");
    result.begin = bare();
    expect(":");
    result.end = bare();
    if (accept(":")) result.step = bare();
    if (accept_word("collapse")) result.collapse = integer();
    if (accept_word("schedule")) result.schedule = one_of<OmpSchedule>(kScheduleWords);
    if (accept_word("chunk")) result.chunk = integer();
    if (accept_word("threads")) result.num_threads = integer();
    if (accept_word("lanes")) result.simd = true;
    if (accept_word("nowait")) result.nowait = true;
    if (accept_word("covered")) result.covered = true;
    if (accept_word("interval")) result.interval = integer();
    if (accept_word("factor")) result.unroll_factor = integer();
    while (accept_word("reduce")) {
        Reduction reduction;
        reduction.op = one_of<ReductionType>(kReductionWords);
        reduction.name = name();
        if (accept_word("elements")) reduction.elements = bare();
        result.reductions.push_back(std::move(reduction));
    }
    return result;
}

Launch Parser::launch() {
    Launch result;
    result.kernel = name();
    const auto extents = [&](const char* what, std::array<Expr, 3>& into) {
        expect_word(what);
        for (std::size_t axis = 0; axis < into.size(); ++axis) {
            if (axis > 0) expect(",");
            into[axis] = bare();
        }
    };
    extents("grid", result.grid);
    extents("block", result.block);
    result.queued = queued();
    return result;
}

ParallelRegion Parser::region() {
    ParallelRegion result;
    if (accept_word("thread")) result.thread_variable = name();
    if (accept_word("of")) result.count_variable = name();
    if (accept_word("threads")) result.num_threads = integer();
    return result;
}

Consume Parser::consume() {
    Consume result;
    result.stream = name();
    result.index = index();
    result.parallel = accept_word("parallel");
    expect_word("pes");
    result.pes = bare();
    expect_word("chunk");
    result.chunk = integer();
    if (accept_word("by")) result.pe_variable = name();
    expect_word("element");
    result.element_variable = name();
    result.element_type = type_behind_colon();
    if (accept_word("until")) {
        Statement head{result, {}};
        declare(head, names_);
        result.stop = value();
    }
    return result;
}

// ---- the module ---------------------------------------------------------------------------------------------------------
StructType Parser::structure() {
    StructType result;
    result.name = name();
    expect("(");
    while (!accept(")")) {
        if (!result.fields.empty()) expect(",");
        std::string field = name();
        result.fields.emplace_back(std::move(field), type_behind_colon());
    }
    return result;
}

ConstantTable Parser::constant() {
    ConstantTable result;
    result.name = name();
    result.type = type_behind_colon();
    result.scalar = accept_word("scalar");
    if (accept_word("global")) result.space = Space::Global;
    if (accept_word("integers")) {
        while (!at_end_of_line()) result.integers.push_back(integer());
        return result;
    }
    expect_word("values");
    while (!at_end_of_line()) result.values.push_back(complex());
    return result;
}

Parameter Parser::parameter() {
    static constexpr std::array kKinds{"buffer", "value", "stream"};
    Parameter result;
    result.name = name();
    expect(":");
    result.kind = one_of<Parameter::Kind>(kKinds);
    result.type = type();
    result.written = !accept_word("read");
    result.restricted = !accept_word("aliased");
    result.space = memory_space();
    return result;
}

Function Parser::function() {
    Function result;
    result.name = name();
    expect("(");
    while (!accept(")")) {
        if (!result.parameters.empty()) expect(",");
        result.parameters.push_back(parameter());
    }
    end_of_line();
    names_.clear();
    declare(module_, names_);
    declare(result, names_);
    level_ = 0;
    origin_ = 0;
    result.body = body();
    return result;
}

void Parser::library() {
    Library& library = module_.libraries[name()];
    while (accept_word("header")) library.headers.push_back(quoted());
    while (accept_word("link")) library.link_words.push_back(quoted());
    library.apart = accept_word("apart");
}

Module Parser::module() {
    expect_word("module");
    module_.name = name();
    end_of_line();
    while (!finished_) {
        if (indent_ != 0) error("X001", "this line is indented, but belongs to no body", "begin it in the first column");
        const std::string word = name();
        if (word == "function" || word == "device" || word == "program") {
            Function& made = word == "program" ? module_.program : module_.functions.emplace_back();
            made = function();
            made.on_device = word == "device";
            continue;
        }
        if (word == "library")
            library();
        else if (word == "struct")
            module_.structs.push_back(structure());
        else if (word == "constant")
            module_.constants.push_back(constant());
        else if (word == "persistent")
            module_.persistent.push_back(allocation());
        else if (word == "global_code")
            module_.global_code = quoted();
        else if (word == "init_code")
            module_.init_code = quoted();
        else if (word == "exit_code")
            module_.exit_code = quoted();
        else
            error("X003", "`" + word + "` begins no part of a module", "docs/loop-text.md lists the parts");
        end_of_line();
    }
    if (module_.program.name.empty()) error("X001", "the module has no program", "add program NAME(...)");
    return std::move(module_);
}

Result<Module> parse_text(std::string_view text, const std::string& file) {
    return capture([&] { return Parser(text, file).module(); });
}

}  // namespace sluice::loop
