import { styleText } from 'node:util';
import { type PermissionName, sentenceFor } from '@gantry/wire';
import { terminalText } from '@gantry/wire/runtime';
import { en } from '@gantry/wire/texts';
import type { RunWriter } from './problems-of-run.ts';

export function createTerminal(options: {
  readonly write: (line: string) => void;
  readonly isColoured: boolean;
  readonly isQuiet?: boolean;
}): RunWriter {
  const { write, isColoured, isQuiet = false } = options;
  const paint = (format: 'red' | 'green' | 'yellow' | 'dim' | 'bold') => (text: string) =>
    isColoured ? styleText(format, text, { validateStream: false }) : text;
  const [red, green, yellow, dim, bold] = [paint('red'), paint('green'), paint('yellow'), paint('dim'), paint('bold')];
  const lastAsks = new Map<string | undefined, string>(); // by app: each lab reports a changed manifest

  return {
    onProblem({ app, id, what, cure, example, where }) {
      write('');
      write(
        `${red('✗')} ${bold(terminalText(what, 600))} ${dim(`[${[terminalText(app), id].filter(Boolean).join(' ')}]`)}`,
      );
      if (where)
        write(
          `  ${placeText(where)}${where.text && id !== 'build-failed' ? `  ${dim(terminalText(where.text, 120))}` : ''}`,
        );
      write(`  ${terminalText(cure)}`);
      for (const line of example === undefined || example === where?.text ? [] : plainLines(example)) {
        write(`    ${yellow(line)}`);
      }
    },
    onCount({ app, what, count }) {
      write(dim(`  ${count} times: ${terminalText(what, 100)} [${terminalText(app)}]`));
    },
    onResolved({ app, what }) {
      write(`${green('✓')} resolved: ${terminalText(what, 200)} ${dim(`[${terminalText(app)}]`)}`);
    },
    onEntry(entry) {
      if (entry.kind === 'manifest') {
        const asks = (entry.asks ?? []).map((name) => terminalText(wordsOf(name))).join('; ');
        if (asks !== '' && asks !== lastAsks.get(entry.app)) write(`members will be asked: ${asks}`);
        lastAsks.set(entry.app, asks);
      }
      if (isQuiet) return;
      if (entry.kind === 'console' && (entry.level === 'error' || entry.level === 'warn')) {
        const place = entry.where ? ` ${dim(placeText(entry.where))}` : '';
        write(`${dim(`${terminalText(entry.app ?? '')} console.${entry.level}`)} ${terminalText(entry.text)}${place}`);
      }
    },
  };
}

function placeText({ file, line, column }: { file: string; line: number; column?: number }): string {
  return `${terminalText(file, 200)}:${line}${column === undefined ? '' : `:${column}`}`;
}

function wordsOf(name: string): string {
  return `${sentenceFor(name as PermissionName, en.sentences)} (${name})`;
}

/** Returns the first lines of a text, each as it may stand in a terminal. */
function plainLines(text: string): readonly string[] {
  const lines = text.slice(0, 20_000).split(/\r\n|\n/);
  return lines.slice(0, 20).map((line) => terminalText(line.trimEnd(), 200));
}
