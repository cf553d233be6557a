//===- HtmlTests.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Report/Html.h"
#include "Report/LogChart.h"
#include "Report/Parts.h"

#include <gmock/gmock.h>

using namespace tailor::report;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(Html, ClosesWhatItOpens) {
  Html html;
  {
    const Html::Scope outer(html, "div", {{"class", "a"}, {"id", ""}});
    html.add("b", "x");
    html.leaf("br");
  }
  EXPECT_EQ(html.take(), "<div class=\"a\"><b>x</b><br/>\n</div>\n");
}

TEST(Html, EscapesMarkupAndShowsWhatIsNoText) {
  EXPECT_EQ(escaped("<a href=\"x\">&'</a>"), "&lt;a href=&quot;x&quot;&gt;&amp;'&lt;/a&gt;");
  EXPECT_EQ(escaped(std::string_view("\0\n\x1b\x7f", 4)), "\\x00\\x0a\\x1b\\x7f");
  EXPECT_EQ(escaped("µ×≤"), "µ×≤");
  EXPECT_EQ(escaped("\xff\xc3("), "\\xff\\xc3(");
  EXPECT_EQ(escaped("\u202e"), "\\xe2\\x80\\xae");
  EXPECT_EQ(escaped("\xef\xbf\xbf"), "\\xef\\xbf\\xbf"); // U+FFFF, which XML does not allow
}

TEST(Html, StyleSheetIsXmlText) {
  EXPECT_THAT(std::string(styleSheet()), Not(HasSubstr("<")));
  EXPECT_THAT(std::string(styleSheet()), Not(HasSubstr("&")));
}

TEST(LogAxis, TicksKeepTheirDistance) {
  auto ticks = [](double low, double high, double room) {
    LogAxis axis;
    axis.low = low;
    axis.high = high;
    axis.room = room;
    return axis.ticks();
  };
  EXPECT_THAT(ticks(0.9, 11, 0.1), ElementsAre(1, 2, 5, 10));
  EXPECT_THAT(ticks(1, 1e6, 0.1), ElementsAre(1, 10, 100, 1e3, 1e4, 1e5, 1e6));
  EXPECT_THAT(ticks(1, 1e6, 0.2), ElementsAre(1, 100, 1e4, 1e6));
  EXPECT_THAT(ticks(1, 1e12, 0.25), ElementsAre(1, 1e3, 1e6, 1e9, 1e12));
}

TEST(LogAxis, WidensASinglePlace) {
  LogAxis axis;
  axis.add(100);
  axis.add(0);
  axis.add(-1);
  axis.widen();
  EXPECT_NEAR(axis.high / axis.low, 3.1623, 1e-3);
  LogAxis empty;
  empty.widen();
  EXPECT_LT(empty.low, empty.high);
}

TEST(LogChart, DrawsWhatLiesInsideAlone) {
  LogAxis axis;
  axis.label = [](double) { return std::string("t"); };
  axis.add(1);
  axis.add(100);
  Html html;
  {
    LogChart chart(html, axis, axis, "a picture");
    EXPECT_TRUE(chart.line(0.01, 0.01, 1e4, 1e4, "inside"));
    EXPECT_FALSE(chart.line(1000, 1, 1e4, 100, "outside"));
    chart.point(10, 10, "winner", "in <it>");
    chart.point(1000, 10, "other", "out of it");
    chart.point(0, 10, "other", "nowhere");
  }
  const std::string text = html.take();
  EXPECT_THAT(text, HasSubstr("class=\"inside\""));
  EXPECT_THAT(text, Not(HasSubstr("outside")));
  EXPECT_THAT(text, HasSubstr("<title>in &lt;it&gt;</title>"));
  EXPECT_THAT(text, Not(HasSubstr("out of it")));
  EXPECT_THAT(text, Not(HasSubstr("nowhere")));
}
