#include "fuzz/workers.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <sstream>

namespace sluice::fuzz {

namespace {

// A report is a line of counts, lines for its configurations, lines for its findings, and a line that says that it is whole.
std::string escaped(std::string text) {
    for (char& c : text)
        if (c == '\n') c = '\x1f';
    return text;
}
std::string unescaped(std::string text) {
    for (char& c : text)
        if (c == '\x1f') c = '\n';
    return text;
}

std::string encoded(const CampaignReport& report) {
    std::ostringstream out;
    out << "counts " << report.graphs << ' ' << report.passes << '\n';
    for (const auto& [name, count] : report.runs) out << "runs " << count << ' ' << name << '\n';
    for (const CampaignFinding& finding : report.findings)
        out << "finding " << finding.graph << ' ' << finding.file.string() << '\n' << escaped(finding.text) << '\n';
    out << "end\n";
    return out.str();
}

class Decoder {
public:
    /// True when the line ends a report.
    bool line(const std::string& text) {
        if (in_finding_) {
            report.findings.back().text = unescaped(text);
            in_finding_ = false;
            return false;
        }
        std::istringstream words(text);
        std::string kind;
        words >> kind;
        if (kind == "counts") words >> report.graphs >> report.passes;
        if (kind == "runs") {
            std::uint64_t count = 0;
            std::string name;
            words >> count >> std::ws;
            std::getline(words, name);
            report.runs[name] = count;
        }
        if (kind == "finding") {
            report.findings.emplace_back();
            std::string file;
            words >> report.findings.back().graph >> std::ws;
            std::getline(words, file);
            report.findings.back().file = file;
            in_finding_ = true;
        }
        return kind == "end";
    }
    CampaignReport report;

private:
    bool in_finding_ = false;
};

void write_all(int file, const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = ::write(file, text.data() + at, text.size() - at);
        if (count < 0 && errno != EINTR) return;
        if (count > 0) at += static_cast<std::size_t>(count);
    }
}

struct Child {
    pid_t process = 0;
    int pipe = -1;
    std::string pending;
    Decoder decoder;
};

Child start(std::size_t number, const std::function<void(std::size_t, const Send&)>& work) {
    int ends[2];
    check(::pipe(ends) == 0, "no pipe for a worker");
    Child child;
    child.process = ::fork();
    check(child.process >= 0, "no process for a worker");
    if (child.process == 0) {
        ::close(ends[0]);
        int status = 0;
        try {
            work(number, [&](const CampaignReport& report) { write_all(ends[1], encoded(report)); });
        } catch (const std::exception& error) {
            CampaignReport last;
            last.findings.push_back({0, std::string("the fuzzer itself: ") + error.what(), {}});
            write_all(ends[1], encoded(last));
            status = 1;
        }
        ::_exit(status);
    }
    ::close(ends[1]);
    child.pipe = ends[0];
    return child;
}

void take(Child& child, const char* bytes, std::size_t count, const Send& receive) {
    child.pending.append(bytes, count);
    for (std::size_t end; (end = child.pending.find('\n')) != std::string::npos; child.pending.erase(0, end + 1))
        if (child.decoder.line(child.pending.substr(0, end))) {
            receive(child.decoder.report);
            child.decoder = {};
        }
}

}  // namespace

void run_workers(std::size_t count, const std::function<void(std::size_t, const Send&)>& work, const Send& receive) {
    std::vector<Child> children;
    for (std::size_t number = 0; number < count; ++number) children.push_back(start(number, work));
    std::size_t open = count;
    while (open > 0) {
        std::vector<pollfd> waits;
        for (const Child& child : children) waits.push_back({child.pipe, POLLIN, 0});
        if (::poll(waits.data(), waits.size(), -1) < 0) continue;
        for (std::size_t at = 0; at < children.size(); ++at) {
            if (waits[at].revents == 0) continue;
            char buffer[4096];
            const ssize_t got = ::read(children[at].pipe, buffer, sizeof buffer);
            if (got < 0 && errno == EINTR) continue;
            if (got > 0) {
                take(children[at], buffer, static_cast<std::size_t>(got), receive);
                continue;
            }
            ::close(children[at].pipe);
            children[at].pipe = -1;
            --open;
        }
    }
    for (Child& child : children) {
        int status = 0;
        while (::waitpid(child.process, &status, 0) < 0 && errno == EINTR) {
        }
        check(WIFEXITED(status), "a worker of the fuzzer died");
    }
}

}  // namespace sluice::fuzz
