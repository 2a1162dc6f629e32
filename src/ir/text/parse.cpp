// Parser of declarations and of control flow.
#include "ir/text/parse.h"

#include <unordered_map>

#include "ir/query.h"
#include "ir/text.h"

namespace sluice::ir {

namespace text {

namespace {

void read_region(Cursor& in, Region& region, Sdfg* owner);

// ---- declarations -------------------------------------------------------------------------------------------------------
bool next_is_container(Cursor& in) {
    const std::size_t begin = in.position();
    bool found = false;
    for (std::string_view word :
         {"transient", "view", "reference", "array", "scalar", "stream", "struct", "container_array", "foreign"})
        found = found || in.accept_word(word);
    in.rewind(begin);
    return found;
}

std::pair<std::string, Container> read_container(Cursor& in);

void read_members(Cursor& in, Structure& structure) {
    in.expect("{");
    for (in.blank_lines(); !in.accept("}"); in.blank_lines()) {
        auto [name, member] = read_container(in);
        if (structure.members.contains(name))
            in.error("X005", "the structure has a member " + name + " already", "rename one of the two");
        structure.members.set(std::move(name), std::move(member));
        if (!in.next_is("}")) in.end_of_line();
    }
}

void read_kind(Cursor& in, Container& container, std::size_t begin, std::string_view word) {
    if (word == "array") {
        read_fields(in, container, container.kind.emplace<Array>());
    } else if (word == "scalar") {
        read_fields(in, container, container.kind.emplace<Scalar>());
    } else if (word == "stream") {
        read_fields(in, container, container.kind.emplace<Stream>());
    } else if (word == "foreign") {
        read_fields(in, container, container.kind.emplace<ForeignContainer>());
    } else if (word == "struct") {
        auto& structure = container.kind.emplace<Structure>();
        read_fields(in, container, structure);
        read_members(in, structure);
    } else if (word == "container_array") {
        auto& array = container.kind.emplace<ContainerArray>();
        read_fields(in, container, array.layout);
        if (!in.accept("{")) return;
        in.blank_lines();
        array.element = Cow<Container>(read_container(in).second);
        in.blank_lines();
        in.expect("}");
    } else {
        unknown_word(in, begin, "kind of container", word, "array, scalar, stream, struct, container_array, foreign");
    }
}

std::pair<std::string, Container> read_container(Cursor& in) {
    const Cursor::Level level(in);
    Container container;
    in.space();
    const std::size_t begin = in.position();
    container.transient = in.accept_word("transient");
    if (in.accept_word("view")) container.binding = Binding::View;
    if (in.accept_word("reference")) container.binding = Binding::Reference;
    in.space();
    const std::size_t kind_begin = in.position();
    const std::string kind(in.identifier());
    std::string name = in.connector();
    container.metadata.where = in.span_from(begin);
    const bool typed = in.accept(":");
    if (typed) container.dtype = read_type(in);
    if (in.next_is("[")) read(in, container.shape);
    read_kind(in, container, kind_begin, kind);
    if (const auto* structure = std::get_if<Structure>(&container.kind); structure && !typed)
        container.dtype = structure_type(*structure);
    return {std::move(name), std::move(container)};
}

std::pair<double, double> read_element(Cursor& in) {
    if (!in.accept("(")) return {in.real(), 0.0};
    const double real = in.real();
    in.expect(",");
    const double imaginary = in.real();
    in.expect(")");
    return {real, imaginary};
}

void read_constant(Cursor& in, Sdfg& sdfg, std::size_t begin) {
    auto [name, container] = read_container(in);
    Constant constant;
    constant.container = std::move(container);
    while (in.accept("=")) {
        if (in.accept_word("int")) {
            read(in, constant.integers);
            continue;
        }
        in.expect("[");
        while (!in.accept("]")) {
            if (!constant.values.empty()) in.expect(",");
            constant.values.push_back(read_element(in));
        }
    }
    if (sdfg.constants.contains(name))
        in.error_at(in.span_from(begin), "X005", "a constant " + name + " is declared already", "rename one of the two");
    sdfg.constants.set(std::move(name), std::move(constant));
}

void read_located_code(Cursor& in, std::map<std::string, CodeBlock>& codes) {
    std::string location = in.name();
    codes[std::move(location)] = in.code(Language::CPP);
}

/// A declaration of the SDFG, if the line is one.
bool read_declaration(Cursor& in, Sdfg& sdfg) {
    in.space();
    const std::size_t begin = in.position();
    if (in.accept_word("symbol")) {
        std::string name = in.connector();
        in.expect(":");
        if (!sdfg.symbols.emplace(name, read_type(in)).second)
            in.error_at(in.span_from(begin), "X005", "a symbol " + name + " is declared already", "rename one of the two");
    } else if (in.accept_word("constant")) {
        read_constant(in, sdfg, begin);
    } else if (in.accept_word("global_code")) {
        read_located_code(in, sdfg.global_code);
    } else if (in.accept_word("init_code")) {
        read_located_code(in, sdfg.init_code);
    } else if (in.accept_word("exit_code")) {
        read_located_code(in, sdfg.exit_code);
    } else if (next_is_container(in)) {
        auto [name, container] = read_container(in);
        if (sdfg.containers.contains(name))
            in.error("X005", "a container " + name + " is declared already", "rename one of the two");
        sdfg.containers.set(std::move(name), std::move(container));
    } else {
        return false;
    }
    return true;
}

// ---- blocks -------------------------------------------------------------------------------------------------------------
LoopRegion read_loop(Cursor& in) {
    LoopRegion loop;
    in.expect("[");
    if (!in.next_is_code() && in.next_is_name()) {
        loop.variable = in.name();
        in.expect(":");
    }
    std::optional<CodeBlock> first;
    if (in.next_is_code()) first = in.code(Language::Python);
    if (in.accept(";")) {
        loop.init = std::move(first);
        if (in.next_is_code()) loop.condition = in.code(Language::Python);
        in.expect(";");
        if (in.next_is_code()) loop.update = in.code(Language::Python);
    } else {
        loop.condition = std::move(first);
    }
    in.expect("]");
    read_fields(in, loop);
    in.expect("{");
    read_region(in, loop.body, nullptr);
    return loop;
}

ConditionalBlock read_conditional(Cursor& in) {
    ConditionalBlock conditional;
    in.expect("{");
    for (in.blank_lines(); !in.accept("}"); in.blank_lines()) {
        Branch branch;
        if (in.accept_word("when"))
            branch.condition = in.code(Language::Python);
        else if (!in.accept_word("else"))
            in.error("X001", "expected a branch", "write `when` and a condition, or `else`");
        in.expect("{");
        read_region(in, branch.body, nullptr);
        conditional.branches.push_back(std::move(branch));
        if (!in.next_is("}")) in.end_of_line();
    }
    return conditional;
}

Block read_block(Cursor& in) {
    Block block;
    in.space();
    const std::size_t begin = in.position();
    const std::string_view keyword = in.identifier();
    static const std::string kChoices = "state, loop, conditional, break, continue, return, region";
    if (!in.next_is_name()) unknown_word(in, begin, "declaration", keyword, "symbol, constant, array, scalar, " + kChoices);
    block.label = in.connector();
    block.metadata.where = in.span_from(begin);
    if (keyword == "state") {
        State state;
        read_fields(in, state);
        in.expect("{");
        read_state(in, state);
        block.kind = Cow<State>(std::move(state));
    } else if (keyword == "loop") {
        block.kind = read_loop(in);
    } else if (keyword == "conditional") {
        block.kind = read_conditional(in);
    } else if (keyword == "break") {
        block.kind = BreakBlock();
    } else if (keyword == "continue") {
        block.kind = ContinueBlock();
    } else if (keyword == "return") {
        block.kind = ReturnBlock();
    } else if (keyword == "region") {
        NamedRegion region;
        read_fields(in, region);
        in.expect("{");
        read_region(in, region.body, nullptr);
        block.kind = std::move(region);
    } else {
        unknown_word(in, begin, "declaration", keyword, kChoices);
    }
    return block;
}

// ---- regions ------------------------------------------------------------------------------------------------------------
/// Blocks are named before they are declared, so names are resolved when the region is complete.
class RegionReader {
public:
    RegionReader(Cursor& in, Region& region) : in_(in), region_(region) {}

    void read_line() {
        in_.space();
        const std::size_t begin = in_.position();
        if (in_.next_is_id('t')) {
            const std::uint32_t id = in_.id('t');
            if (in_.accept(":")) return read_transition(id);
            if (in_.accept_word("erased")) return add_hole(region_.transitions, id, begin);
            in_.rewind(begin);
        }
        if (next_is_transition()) return read_transition(static_cast<std::uint32_t>(region_.transitions.id_bound()));
        if (in_.accept_word("start")) {
            start_ = read_reference();
            return;
        }
        auto at = static_cast<std::uint32_t>(region_.blocks.id_bound());
        if (in_.accept("@")) {
            at = read_index();
            if (in_.accept_word("erased")) return add_hole(region_.blocks, at, begin);
        }
        Block block = read_block(in_);
        if (region_.blocks.empty()) region_.start = BlockId(at);
        const auto [known, added] = by_label_.emplace(block.label, BlockId(at));
        if (!added) known->second = BlockId();
        add_at(in_, region_.blocks, at, std::move(block), begin);
    }

    bool next_is_transition() {
        const std::size_t begin = in_.position();
        if (!in_.next_is("@") && (!in_.next_is_name() || in_.next_is("\""))) return false;
        read_reference();
        const bool found = in_.next_is("->");
        in_.rewind(begin);
        return found;
    }

    void resolve() {
        for (const auto& [id, ends] : ends_) {
            region_.transitions[id].src = find(ends.first);
            region_.transitions[id].dst = find(ends.second);
        }
        if (start_) region_.start = find(*start_);
    }

private:
    struct Reference {
        std::string label;
        std::optional<BlockId> id;
        Span where;
    };

    std::uint32_t read_index() {
        const std::int64_t value = in_.integer();
        if (value < 0 || value >= 0xfffffff0) in_.error("X008", "the id does not fit into 32 bits");
        return static_cast<std::uint32_t>(value);
    }
    Reference read_reference() {
        in_.space();
        const std::size_t begin = in_.position();
        Reference reference;
        if (in_.accept("@"))
            reference.id = BlockId(read_index());
        else
            reference.label = in_.identifier();
        if (reference.label == "none") reference.id = BlockId();
        reference.where = in_.span_from(begin);
        return reference;
    }
    template <class IdType, class T> void add_hole(Table<IdType, T>& table, std::uint32_t at, std::size_t begin) {
        add_at(in_, table, at, T{}, begin);
        table.erase(IdType(at));
    }
    void read_transition(std::uint32_t at) {
        in_.space();
        const std::size_t begin = in_.position();
        Transition transition;
        Reference src = read_reference();
        in_.expect("->");
        Reference dst = read_reference();
        transition.metadata.where = in_.span_from(begin);
        if (in_.accept_word("if")) transition.condition = in_.code(Language::Python);
        if (in_.accept_word("set")) do {
                std::string symbol = in_.name();
                in_.expect("=");
                transition.assignments.emplace_back(std::move(symbol), read_assigned());
            } while (in_.accept(","));
        add_at(in_, region_.transitions, at, std::move(transition), begin);
        ends_.emplace_back(TransitionId(at), std::pair(std::move(src), std::move(dst)));
    }
    std::string read_assigned() {
        if (in_.next_is_code()) return in_.code(Language::Python).text;
        if (in_.next_is_name()) return std::string(in_.identifier());
        return std::string(in_.digits());
    }
    BlockId find(const Reference& reference) const {
        if (reference.id) return *reference.id;
        const auto at = by_label_.find(reference.label);
        if (at == by_label_.end())
            in_.error_at(reference.where, "X006", "the region has no block " + reference.label,
                         "name a block of the same region, or `none`");
        if (!at->second.valid())
            in_.error_at(reference.where, "X006", "several blocks are labelled " + reference.label,
                         "name the block by its position, `@2`, or relabel it");
        return at->second;
    }

    Cursor& in_;
    Region& region_;
    std::unordered_map<std::string, BlockId> by_label_;  ///< An invalid id: several blocks.
    std::vector<std::pair<TransitionId, std::pair<Reference, Reference>>> ends_;
    std::optional<Reference> start_;
};

/// After the opening brace, through the closing one. `owner` gets the declarations, if the region is an SDFG's.
void read_region(Cursor& in, Region& region, Sdfg* owner) {
    const Cursor::Level level(in);
    RegionReader reader(in, region);
    for (in.blank_lines(); !in.accept("}"); in.blank_lines()) {
        if (in.at_end()) in.error("X001", "expected `}`, found the end of the text");
        if (!owner || reader.next_is_transition() || !read_declaration(in, *owner)) reader.read_line();
        if (!in.next_is("}")) in.end_of_line();
    }
    reader.resolve();
}

}  // namespace

Sdfg read_sdfg(Cursor& in) {
    in.space();
    const std::size_t begin = in.position();
    if (!in.accept_word("sdfg")) in.error("X001", "expected `sdfg`", "a graph begins with `sdfg name() {`");
    Sdfg sdfg;
    sdfg.name = in.name();
    sdfg.metadata.where = in.span_from(begin);
    in.expect("(");
    while (!in.accept(")")) {
        if (!sdfg.arg_names.empty()) in.expect(",");
        sdfg.arg_names.push_back(in.name());
    }
    read_fields(in, sdfg);
    in.expect("{");
    read_region(in, sdfg.body, &sdfg);
    return sdfg;
}

}  // namespace text

Result<Sdfg> parse_text(std::string_view text, const std::string& file) {
    return capture([&] {
        text::Cursor in(text, file);
        in.blank_lines();
        Sdfg sdfg = text::read_sdfg(in);
        in.blank_lines();
        if (!in.at_end()) in.error("X001", "expected the end of the text after the graph", "write one graph in a file");
        return sdfg;
    });
}

}  // namespace sluice::ir
