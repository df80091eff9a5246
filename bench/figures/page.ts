import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { grouped } from '@gantry/wire/runtime';
import { interval, type Judged } from './figure.ts';
import type { Count } from './report.ts';
import { type Results, readResults } from './results.ts';

const width = 600;
const height = 200;
const margin = { left: 62, right: 10, top: 12, bottom: 30 };

/** Reads a folder of results and writes them as one page without scripts. */
export function writePage(folder: string, file: string): number {
  mkdirSync(folder, { recursive: true });
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const all = names.map((name) => readResults(join(folder, name)));
  all.sort((a, b) => Date.parse(a.committedAt) - Date.parse(b.committedAt));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, pageOf(all));
  return all.length;
}

/** Writes results by commit, the oldest first: of each figure and count a chart and a table. */
export function pageOf(all: readonly Results[]): string {
  const figures = distinct(all.flatMap((one) => one.figures.map(({ name }) => name)));
  const counts = distinct(all.flatMap((one) => one.counts.map(({ name }) => name)));
  const changing = counts.filter((name) => isChanging(name, all));
  const unchanged = counts
    .filter((name) => !changing.includes(name))
    .map((name) => [name, ...countCells(countsOf(name, all).at(-1)?.counted)]);
  const last = all.at(-1);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Gantry in figures</title>
<style>${style}</style>
<main>
<h1>Gantry in figures</h1>
<p>${all.length} commits, the last ${text(last?.commit ?? '')}: ${text(last?.subject ?? '')}. ${text(last?.machine ?? '')}.</p>
<p>A figure is a ratio to a comparison of the same run. The band is the interval that has the true
ratio in it in 95 of 100 runs; the dashed line is the goal. A/A is the comparison against itself:
what it is off 1 is noise.</p>
<nav><ul><li><a href="#figures">Figures</a><li><a href="#counts">Counts</a></ul></nav>
<h2 id="figures">Figures</h2>
${figures.map((name) => figure(name, all)).join('\n')}
<h2 id="counts">Counts</h2>
${changing.map((name) => count(name, all)).join('\n')}
<section><h3>The same in all commits</h3>${table('The same in all commits', ['Name', 'Count', 'Limit'], unchanged)}</section>
</main>
</html>
`;
}

interface Point {
  readonly commit: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

interface Line {
  readonly name: string;
  readonly goal: number | undefined;
  readonly points: readonly Point[];
}

function figure(name: string, all: readonly Results[]): string {
  const rows = all.flatMap((one) =>
    one.figures.filter((judged) => judged.name === name).map((judged) => ({ one, judged })),
  );
  const lines = distinct(rows.map(({ judged }) => judged.measure)).map((measure): Line => {
    const ofMeasure = rows.filter(({ judged }) => judged.measure === measure);
    return {
      name: measure,
      goal: goalOf(ofMeasure.at(-1)?.judged),
      points: ofMeasure.map(({ one, judged: { ratio } }) => {
        return { commit: one.commit, value: ratio.estimate, low: ratio.low, high: ratio.high };
      }),
    };
  });
  const newestFirst = all.toReversed().flatMap((one) => rows.filter((row) => row.one === one));
  const cells = newestFirst.map(({ one, judged }) => [
    one.commit + (one.isChanged ? ' +' : ''),
    judged.measure,
    `${interval(judged.ratio)} ×`,
    judged.noise ? interval(judged.noise) : '',
    `${short(judged.ours)} against ${short(judged.against)} ${judged.unit}`,
    judged.goal ? `${'most' in judged.goal ? '≤' : '≥'} ${goalOf(judged)} ×: ${judged.conclusion}` : '',
  ]);
  return section(name, lines, ['Commit', 'Measured', 'Ratio', 'A/A', 'Medians', 'Goal'], cells);
}

function countsOf(name: string, all: readonly Results[]) {
  return all.flatMap((one) =>
    one.counts.filter((counted) => counted.name === name).map((counted) => ({ one, counted })),
  );
}

function isChanging(name: string, all: readonly Results[]): boolean {
  return new Set(countsOf(name, all).map(({ counted }) => counted.value)).size > 1;
}

function countCells(counted: Count | undefined): readonly string[] {
  if (counted === undefined) return ['', ''];
  const { value, unit, limit } = counted;
  return [`${grouped(value)} ${unit}`, limit === undefined ? '' : `≤ ${grouped(limit)}`];
}

function count(name: string, all: readonly Results[]): string {
  const rows = countsOf(name, all);
  const last = rows.at(-1)?.counted;
  const points = rows.map(({ one, counted: { value } }) => ({ commit: one.commit, value, low: value, high: value }));
  const cells = rows
    .toReversed()
    .map(({ one, counted }) => [one.commit + (one.isChanged ? ' +' : ''), ...countCells(counted)]);
  return section(name, [{ name: last?.unit ?? '', goal: last?.limit, points }], ['Commit', 'Count', 'Limit'], cells);
}

function section(
  name: string,
  lines: readonly Line[],
  headings: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const [newest] = cells[0] ?? [];
  const [shown, hidden] = [true, false].map((isNewest) => cells.filter(([commit]) => (commit === newest) === isNewest));
  const earlier = hidden?.length
    ? `<details><summary>${hidden.length} earlier rows</summary>${table(`${name}, earlier`, headings, hidden)}</details>`
    : '';
  return `<section><h3>${text(name)}</h3>${chart(name, lines)}${table(name, headings, shown ?? [])}${earlier}</section>`;
}

function table(name: string, headings: readonly string[], cells: readonly (readonly string[])[]): string {
  const row = (values: readonly string[], tag: string) =>
    `<tr>${values.map((value) => `<${tag}>${text(value)}</${tag}>`).join('')}</tr>`;
  const rows = cells.map((values) => row(values, 'td')).join('');
  return `<div class="wide" tabindex="0" role="group" aria-label="${text(name)}, table"><table><thead>${row(headings, 'th')}</thead><tbody>${rows}</tbody></table></div>`;
}

/** Draws lines over commits, with the interval of each as a band. */
function chart(name: string, lines: readonly Line[]): string {
  const commits = distinct(lines.flatMap(({ points }) => points.map(({ commit }) => commit)));
  const values = lines.flatMap(({ points, goal = 0 }) => [goal, ...points.map(({ high }) => high)]);
  const most = Math.max(...values) * 1.08 || 1;
  const x = (commit: string) =>
    margin.left + ((commits.indexOf(commit) + 0.5) * (width - margin.left - margin.right)) / commits.length;
  const y = (value: number) => height - margin.bottom - (value / most) * (height - margin.top - margin.bottom);
  const at = (commit: string, value: number) => `${x(commit).toFixed(1)},${y(value).toFixed(1)}`;
  const ticks = [0, most / 2.16, most / 1.08];
  const axis = ticks.map(
    (tick) =>
      `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text x="${margin.left - 6}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${short(tick)}</text>`,
  );
  const drawn = lines.map(({ name: of, points, goal }, index) => {
    const band = [
      ...points.map(({ commit, high }) => at(commit, high)),
      ...points.toReversed().map(({ commit, low }) => at(commit, low)),
    ];
    const bars = points.map(
      ({ commit, low, high }) => `<path class="bar" d="M${at(commit, low)}L${at(commit, high)}"/>`,
    );
    const dots = points.map(({ commit, value }) => {
      const [cx, cy] = at(commit, value).split(',');
      return `<circle cx="${cx}" cy="${cy}" r="3"><title>${text(`${of} ${short(value)}, ${commit}`)}</title></circle>`;
    });
    const aim =
      goal === undefined
        ? ''
        : `<line class="goal" x1="${margin.left}" x2="${width - margin.right}" y1="${y(goal).toFixed(1)}" y2="${y(goal).toFixed(1)}"/>`;
    const path = `<polygon class="band" points="${band.join(' ')}"/><polyline points="${points.map(({ commit, value }) => at(commit, value)).join(' ')}"/>`;
    return `<g class="line${index % 2}">${aim}${path}${bars.join('')}${dots.join('')}</g>`;
  });
  const shown = commits.length > 1 ? [commits[0] ?? '', commits.at(-1) ?? ''] : commits;
  const labels = shown.map(
    (commit) => `<text x="${x(commit).toFixed(1)}" y="${height - 6}" text-anchor="middle">${text(commit)}</text>`,
  );
  const legend =
    lines.length < 2
      ? ''
      : `<p class="legend">${lines.map((line, index) => `<span class="line${index % 2}">${text(line.name)}</span>`).join(' ')}</p>`;
  return `${legend}<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${text(name)} over ${commits.length} commits; the table has the same numbers">${axis.join('')}${drawn.join('')}${labels.join('')}</svg>`;
}

const style = `
:root { --ink: #1d2126; --paper: #fff; --soft: #667; --grid: #e3e5e8; --a: #0b62c4; --b: #b04a00; --goal: #2f7d32; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e8ea; --paper: #16181b; --soft: #a3a8ae; --grid: #2e3237; --a: #6db3ff; --b: #ffa869; --goal: #7fd083; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; } h2 { margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
section { margin: 0 0 2rem; padding-top: 1rem; border-top: 1px solid var(--grid); }
a { color: var(--a); } nav ul { display: flex; gap: 1rem; padding: 0; list-style: none; }
svg { display: block; width: 100%; height: auto; min-height: 7rem; } svg text { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--grid); } .goal { stroke: var(--goal); stroke-width: 1.5; stroke-dasharray: 6 4; }
polyline { fill: none; stroke: currentColor; stroke-width: 1.5; } .band { fill: currentColor; opacity: .15; }
.bar { stroke: currentColor; stroke-width: 1.5; opacity: .6; } circle { fill: currentColor; }
.line0 { color: var(--a); } .line1 { color: var(--b); }
.legend { margin: 0; font-size: .875rem; } .legend span { margin-right: 1rem; } .legend span::before { content: '●'; margin-right: .3em; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; white-space: nowrap; } th { color: var(--soft); font-weight: 600; }
summary { cursor: pointer; font-size: .875rem; color: var(--soft); }
@media (max-width: 30rem) { svg text { font-size: 19px; } }
`;

function goalOf(judged: Judged | undefined): number | undefined {
  if (!judged?.goal) return undefined;
  return 'most' in judged.goal ? judged.goal.most : judged.goal.least;
}

function short(value: number): string {
  return value >= 10_000
    ? `${Math.round(value / 1_000)}k`
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}

function text(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
