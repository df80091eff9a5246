import type { Row, Run } from './outcomes.ts';

/** Replaces what is between `<!-- browsers: PART -->` and `<!-- end -->` by its table. */
export function fillTables(page: string, record: Run): string {
  return page.replace(
    /(<!-- browsers: ([^>]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, part: string, end: string) => `${begin}\n${tableOf(part, record)}\n\n${end}`,
  );
}

/** Rows with the same results in every browser share a line. */
function tableOf(part: string, record: Run): string {
  const browsers = Object.entries(record);
  const names = [...new Set(browsers.flatMap(([, { outcomes }]) => Object.keys(outcomes[part] ?? {})))];
  const lines = new Map<string, string[]>();
  for (const name of names) {
    const cells = browsers.map(([, { outcomes }]) => cellOf(outcomes[part]?.[name])).join(' | ');
    lines.set(cells, [...(lines.get(cells) ?? []), name]);
  }
  const head = ['', ...browsers.map(([name, { version }]) => `${name} ${version}`)];
  return [
    `| ${head.join(' | ')} |`.replace('|  |', '| |'),
    `|${'---|'.repeat(head.length)}`,
    ...[...lines].map(([cells, all]) => `| ${all.join(', ')} | ${cells} |`),
  ].join('\n');
}

/** Returns one word if all modes have it, or the modes of each word. */
function cellOf(row: Row | undefined): string {
  const words = Object.entries(row ?? {});
  if (words.length === 0) return '–';
  const kinds = [...new Set(words.map(([, word]) => word))];
  const mark = (word: string | undefined) => (word === 'open' ? '**open**' : word);
  if (kinds.length === 1) return String(mark(kinds[0]));
  return kinds
    .map(
      (kind) =>
        `${mark(kind)}: ${words
          .filter(([, word]) => word === kind)
          .map(([mode]) => mode)
          .join(', ')}`,
    )
    .join('; ');
}
