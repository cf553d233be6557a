//===- Report/StyleSheet.cpp ---===//
//
// Part of SPIRV-Tailor, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No `<` and no `&`: the page is well formed as XML too.
//
//===----------------------------------------------------------------------===//
#include "Report/Parts.h"

namespace tailor::report {

static constexpr std::string_view kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1b1f24; --soft: #57606a; --line: #d5dae0;
  --link: #0b5cad; --good: #0f6e3f; --warn: #8a4b00; --bad: #b3261e; --mark: #1b1f24;
  --point: #7a8794; --accent: #0b5cad; --roof: #57606a;
  --c0: #08519c; --c1: #2a74b2; --c2: #6baed6; --c3: #a3cce3; --c4: #d6e6f2; --c5: #ececec;
  --c6: #fbe3c8; --c7: #fcc48d; --c8: #f7943f; --c9: #b9500a; --c10: #8c2d04;
  --t0: #fff; --t1: #fff; --t2: #10161c; --t8: #10161c; --t9: #fff; --t10: #fff;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f1216; --card: #181c22; --ink: #e6e9ed; --soft: #a3adb8; --line: #323943;
    --link: #7cbcff; --good: #6fd09b; --warn: #f0b35e; --bad: #ff8a80; --mark: #ffffff;
    --point: #8592a0; --accent: #7cbcff; --roof: #a3adb8;
    --c0: #9ad0ff; --c1: #55a8ea; --c2: #2a6aa6; --c3: #20507d; --c4: #1d3951; --c5: #2b3037;
    --c6: #46341f; --c7: #68451d; --c8: #8f561b; --c9: #e0913a; --c10: #ffc680;
    --t0: #10161c; --t1: #10161c; --t2: #fff; --t8: #fff; --t9: #10161c; --t10: #10161c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main { max-width: 1080px; margin: 0 auto; padding: 1rem; }
nav { display: none; }
a { color: var(--link); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 .2rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .4rem; }
h3 { font-size: 1.08rem; line-height: 1.3; margin: 0; }
h4 { font-size: .95rem; margin: 0 0 .3rem; }
p { margin: .4rem 0; }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
header p, .hint, footer { color: var(--soft); font-size: .9rem; }
section { margin: 2rem 0; }
section > h3 { margin-top: 1.4rem; }
article, .figures > div {
  background: var(--card); border: 1px solid var(--line); border-radius: 10px;
}
article { padding: 1rem; margin: 1rem 0; }
article:target, section:target > h2 { outline: 2px solid var(--accent); outline-offset: 4px; }
figure { margin: 1rem 0 0; min-width: 0; }
figcaption { color: var(--soft); font-size: .85rem; }
.figures { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fit, minmax(7.6rem, 1fr)); margin: 1rem 0; }
.figures > div { padding: .6rem .8rem; }
.figures b { display: block; font-size: 1.5rem; line-height: 1.2; }
.figures span { color: var(--soft); font-size: .85rem; }
.head { display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; justify-content: space-between; }
.badges { display: flex; flex-wrap: wrap; gap: .3rem; margin: 0; }
.badge { border: 1px solid currentColor; border-radius: 99px; padding: 0 .55rem; font-size: .8rem; color: var(--soft); }
.good { color: var(--good); }
.verdict { font-size: 1.02rem; }
.verdict strong { font-size: 1.25rem; }
.pair { display: grid; gap: 0 2rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 760px) { .pair { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.pair > div { margin-top: 1rem; }
.back { font-size: .85rem; }

.scroll { overflow-x: auto; max-width: 100%; margin: .4rem 0; }
.scroll:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); }
table { border-collapse: collapse; font-size: .88rem; }
caption { text-align: left; color: var(--soft); font-size: .85rem; padding: .2rem 0; }
th { font-weight: 600; text-align: left; vertical-align: bottom; }
.list th, .list td { padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
.list th { color: var(--soft); white-space: nowrap; }
.list td { vertical-align: top; white-space: nowrap; }
.list td.long { white-space: normal; min-width: 17rem; }
.list .n { text-align: right; }
.list .winner td { font-weight: 600; }
.list .authored td { color: var(--accent); }
.list .harm td:nth-child(2), .list .costly td { color: var(--bad); }
.list .notable td, .badge.notable { color: var(--warn); }
.badge.bad { color: var(--bad); }

.overview { width: 100%; }
.overview th, .overview td { padding: .3rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.overview th span { display: block; font-weight: 400; color: var(--soft); font-size: .82rem; }
.overview tr > th:first-child { position: sticky; left: 0; background: var(--page); min-width: 8rem; }
.overview th { vertical-align: top; }
.overview .mean td { font-weight: 600; padding-left: .8rem; }
.gain { display: block; border-radius: 6px; padding: .25rem .5rem; min-width: 8.5rem; text-decoration: none; color: inherit; }
.gain:hover, .gain:focus-visible { outline: 2px solid var(--accent); }
.gain b { display: block; }
.gain span { display: block; font-size: .8rem; line-height: 1.3; }
.warn::before { content: "⚠ "; }

.h0 { background: var(--c0); color: var(--t0); } .h1 { background: var(--c1); color: var(--t1); }
.h2 { background: var(--c2); color: var(--t2); } .h3 { background: var(--c3); }
.h4 { background: var(--c4); } .h5 { background: var(--c5); } .h6 { background: var(--c6); }
.h7 { background: var(--c7); } .h8 { background: var(--c8); color: var(--t8); }
.h9 { background: var(--c9); color: var(--t9); } .h10 { background: var(--c10); color: var(--t10); }
.legend { display: flex; align-items: center; gap: .4rem; font-size: .8rem; margin: .4rem 0; }
.legend .end { color: var(--soft); }
.scale { display: flex; flex: 0 1 26rem; min-width: 0; border-radius: 5px; overflow: hidden; }
.scale span { flex: 1 1 0; text-align: center; padding: .1rem 0; font-size: .72rem; overflow-wrap: normal; }
.heat { border-collapse: separate; border-spacing: 2px; }
.heat th { text-align: center; color: var(--soft); font-weight: 500; vertical-align: middle; padding: 0 .3rem; }
.heat th.corner { font-weight: 400; white-space: nowrap; }
.heat td { min-width: 3.1rem; height: 2.1rem; text-align: center; border-radius: 5px; overflow-wrap: normal; }
.off { color: var(--soft); background: repeating-linear-gradient(135deg, transparent 0 5px, var(--line) 5px 6px); }
.bad { color: var(--bad); }
td.bad, .tile.bad { box-shadow: inset 0 0 0 1px var(--bad); }
.heat .win, .tile.win { box-shadow: inset 0 0 0 3px var(--mark), inset 0 0 0 4px var(--card); font-weight: 700; }
.heat .own, .tile.own { outline: 2px dashed currentColor; outline-offset: -3px; }
.sides { display: flex; flex-wrap: wrap; gap: .8rem 2.5rem; align-items: flex-start; }
.sides > .scroll { flex: 0 1 auto; margin: 0; }
.tiles { flex: 1 1 24rem; min-width: 0; }
.tiles th { font-weight: 500; padding: .35rem .8rem .35rem 0; vertical-align: top; width: 34%; }
.tiles td { padding: .15rem 0; }
.tiles tr { border-top: 1px solid var(--line); }
.tile { display: inline-block; border-radius: 5px; padding: .2rem .45rem; margin: .1rem .15rem .1rem 0; min-width: 4.4rem; text-align: center; line-height: 1.25; }
.tile b { display: block; }
.tile span { font-size: .78rem; white-space: nowrap; }
@media (max-width: 600px) {
  main { padding: .8rem; }
  article { padding: .8rem; }
  .legend { flex-wrap: wrap; justify-content: space-between; gap: .1rem; }
  .scale { order: -1; flex: 1 0 100%; }
  .heat { border-spacing: 1px; }
  .heat td { min-width: 2.65rem; }
  .heat th { padding: 0 .15rem; }
  .heat th.corner { min-width: 2.2rem; }
  .tiles, .tiles tbody, .tiles tr, .tiles th, .tiles td, .tiles caption { display: block; width: auto; }
  .tiles th { padding-bottom: 0; }
}

.chart { display: block; width: 100%; max-width: 34rem; height: auto; }
.chart text { font-size: 10.5px; fill: var(--soft); }
.chart .axis { font-size: 11px; fill: var(--ink); }
.chart .note { fill: var(--ink); }
.grid { stroke: var(--line); stroke-width: .7; }
.frame { fill: none; stroke: var(--line); }
.equal { stroke: var(--roof); stroke-dasharray: 1.5 4; stroke-linecap: round; stroke-width: 1.5; }
.bound { stroke: var(--warn); stroke-dasharray: 6 3; stroke-width: 1.3; }
.roof { stroke: var(--roof); stroke-width: 2; }
.p { fill: var(--point); fill-opacity: .6; stroke: var(--card); stroke-width: .7; }
.p.winner { fill: var(--c9); fill-opacity: 1; stroke: var(--ink); stroke-width: 1.2; }
.p.authored { fill: var(--card); fill-opacity: 1; stroke: var(--accent); stroke-width: 2.2; }
.marks { display: flex; flex-wrap: wrap; gap: .2rem 1rem; color: var(--ink); }
.mark { width: 1em; height: 1em; vertical-align: -.15em; }

.facts { margin: 0; font-size: .9rem; }
.facts div { display: flex; gap: 1rem; justify-content: space-between; border-bottom: 1px solid var(--line); padding: .15rem 0; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; text-align: right; }
details { margin-top: .8rem; }
summary { cursor: pointer; font-weight: 600; font-size: .95rem; }
summary:hover { color: var(--link); }
footer { margin: 3rem 0 1rem; }

@media (min-width: 1200px) {
  body { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); }
  main { margin: 0; padding: 1rem 2rem; }
  nav { display: block; position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: 1.6rem .5rem 1rem 1.2rem; font-size: .9rem; border-right: 1px solid var(--line); }
  nav a { display: block; padding: .15rem 0; text-decoration: none; }
  nav a:hover { text-decoration: underline; }
}
@media print {
  :root { color-scheme: light; }
  body { display: block; background: none; font-size: 11px; }
  nav, .back { display: none; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  article { break-inside: auto; border-radius: 0; }
  figure, tr, .facts { break-inside: avoid; }
  h2, h3, h4, summary { break-after: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
  .scroll { overflow: visible; }
  .list td, .list td.long { white-space: normal; min-width: 0; }
}
)css";

std::string_view styleSheet() { return kStyleSheet; }

} // namespace tailor::report
