import { UsageError } from '@gantry/server';
import { insert, lineOf } from '../project/edit-text.ts';
import { closingBracket } from '../project/mask-code.ts';
import { importPlace, isWired } from './express.ts';
import { importLine, type ModuleForm, type NodeSource } from './node-source.ts';

/** Wraps the handler of the one `createServer` call in `withGantry( … )`. */
export function wireHttp(source: NodeSource, form: ModuleForm): string {
  const { path, text, bare, code } = source;
  if (isWired(code)) return text;
  const calls = [...bare.matchAll(/(?<![\w$])createServer\s*(\()/g)];
  const [call] = calls;
  const open = call ? call.index + call[0].length - 1 : -1;
  const close = call ? closingBracket(bare, open) : -1;
  const handler = call && close !== -1 ? lastArgument(bare, open, close) : undefined;
  if (!call || calls.length > 1 || !handler) {
    const where = call ? `${path}:${lineOf(text, call.index)}` : path;
    throw new UsageError(
      `${where} does not pass one handler to one createServer(…). Write createServer(withGantry(handler)) with withGantry imported from ./gantry, and run gantry init again.`,
    );
  }
  return insert(text, [
    { at: importPlace(source, form.hasImports, call.index), text: importLine(form, 'withGantry') },
    { at: handler.start, text: 'withGantry(' },
    { at: handler.end, text: ')' },
  ]);
}

/** Returns the position of the last argument, unless it is an object of options or missing. */
function lastArgument(bare: string, open: number, close: number): { start: number; end: number } | undefined {
  let start = open + 1;
  for (let at = start; at < close; at++) {
    const end = /[([{]/.test(bare[at] as string) ? closingBracket(bare, at) : -1;
    if (end !== -1) at = end;
    else if (bare[at] === ',' && bare.slice(at + 1, close).trim() !== '') start = at + 1;
  }
  const argument = bare.slice(start, close);
  const words = argument.trim().replace(/,$/, '').trimEnd();
  if (words === '' || words.startsWith('{')) return undefined;
  const begin = start + argument.indexOf(words);
  return { start: begin, end: begin + words.length };
}
