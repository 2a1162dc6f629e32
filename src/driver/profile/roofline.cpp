// A report as a roofline (Williams, Waterman and Patterson: "Roofline: An Insightful Visual Performance Model for Multicore
// Architectures", CACM 52(4), 2009): a point for each part, the machine's memory and arithmetic above them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driver/profile/profile.h"

namespace sluice::driver {

namespace {

constexpr double kWidth = 720, kHeight = 420, kLeft = 70, kRight = 20, kTop = 20, kBottom = 50;

struct Point {
    const Measured* part;
    double intensity, speed;  ///< Operations a byte, operations a second.
};

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : c == '"' ? "&quot;" : std::string(1, c);
    return result;
}

std::vector<Point> points_of(const Report& report) {
    std::vector<Point> points;
    for (const Measured& part : report.parts)
        if (part.operations.value_or(0) > 0 && part.bytes.value_or(0) > 0 && part.seconds > 0)
            points.push_back({&part, *part.operations / *part.bytes, *part.operations / part.seconds});
    return points;
}

/// Whole powers of ten around what is shown, and where they lie in the picture.
struct Axis {
    int from = 0, to = 1;
    double begin, end;

    Axis(double least, double most, double begin, double end) : begin(begin), end(end) {
        from = static_cast<int>(std::floor(std::log10(least)));
        to = std::max(static_cast<int>(std::ceil(std::log10(most))), from + 1);
    }
    double at(double value) const { return begin + (std::log10(value) - from) / (to - from) * (end - begin); }
};

std::string line(double x1, double y1, double x2, double y2, const char* style) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, style);
}
std::string label(double x, double y, const char* anchor, const std::string& text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor, escaped(text));
}

std::string grid(const Axis& x, const Axis& y) {
    std::string text;
    for (int power = x.from; power <= x.to; ++power) {
        const double at = x.at(std::pow(10.0, power));
        text += line(at, y.begin, at, y.end, "stroke=\"#ddd\"") + label(at, y.begin + 18, "middle", fmt::format("1e{}", power));
    }
    for (int power = y.from; power <= y.to; ++power) {
        const double at = y.at(std::pow(10.0, power));
        text += line(x.begin, at, x.end, at, "stroke=\"#ddd\"") +
                label(x.begin - 6, at + 4, "end", fmt::format("{:g}", std::pow(10.0, power - 9)));
    }
    text += label((x.begin + x.end) / 2, kHeight - 8, "middle", "operations a byte");
    return text + label(8, kTop - 6, "start", "Gop/s");
}

/// Under the ridge memory is the limit, right of it arithmetic.
std::string roof_line(const Roof& roof, const Axis& x, const Axis& y) {
    const double least = std::pow(10.0, x.from), most = std::pow(10.0, x.to), ridge = roof.operations / roof.bytes;
    const double lowest = std::pow(10.0, y.from);
    const double start = std::max(least, lowest / roof.bytes), turn = std::clamp(ridge, start, most);
    std::string path = fmt::format("{:.1f},{:.1f} {:.1f},{:.1f}", x.at(start), y.at(std::min(start * roof.bytes, roof.operations)),
                                   x.at(turn), y.at(std::min(turn * roof.bytes, roof.operations)));
    if (turn < most) path += fmt::format(" {:.1f},{:.1f}", x.at(most), y.at(roof.operations));
    return "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"#333\" stroke-width=\"2\"/>\n" +
           label(x.end - 4, y.at(roof.operations) - 6, "end",
                 fmt::format("{:.3g} Gop/s, {:.3g} GB/s", roof.operations / 1e9, roof.bytes / 1e9));
}

}  // namespace

std::string to_svg(const Report& report) {
    const std::vector<Point> points = points_of(report);
    double least_x = 0.1, most_x = 10, least_y = 1e9, most_y = 1e10;
    for (const Point& point : points) {
        least_x = std::min(least_x, point.intensity), most_x = std::max(most_x, point.intensity);
        least_y = std::min(least_y, point.speed), most_y = std::max(most_y, point.speed);
    }
    if (report.roof)
        most_y = std::max(most_y, report.roof->operations), most_x = std::max(most_x, report.roof->operations / report.roof->bytes);
    const Axis x(least_x, most_x, kLeft, kWidth - kRight), y(least_y, most_y, kHeight - kBottom, kTop);
    std::string text = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kWidth, kHeight);
    text += grid(x, y);
    if (report.roof) text += roof_line(*report.roof, x, y);
    for (const Point& point : points) {
        const double at_x = x.at(point.intensity), at_y = y.at(point.speed);
        text += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#1f6fb4\"><title>{}: {:.3g} Gop/s, {:.3g} op/byte, {:.3f} "
            "ms</title></circle>\n",
            at_x, at_y, escaped(point.part->label), point.speed / 1e9, point.intensity, point.part->seconds * 1e3);
        text += label(at_x + 7, at_y + 4, at_x > kWidth * 0.8 ? "end" : "start", point.part->label);
    }
    return text + "</svg>\n";
}

std::string to_html(const Report& report) {
    return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>" + escaped(report.program) +
           "</title></head>\n<body style=\"font-family: sans-serif; max-width: 60em\">\n<h1>" + escaped(report.program) +
           "</h1>\n" + to_svg(report) + "<pre>" + escaped(to_table(report)) + "</pre>\n</body></html>\n";
}

}  // namespace sluice::driver
