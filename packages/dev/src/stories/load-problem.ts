import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ThreadError } from './story-thread.ts';

/** Explains why a story file could not be loaded, with place and cure if known. */
export async function loadProblem(
  file: string,
  error: ThreadError,
): Promise<{ readonly message: string; readonly line?: number; readonly column?: number }> {
  const message = `${error.message.split('\n')[0]}${cure(error)}`;
  const place = placeIn(file, error.stack) ?? (error.name === 'SyntaxError' ? await syntaxPlace(file) : undefined);
  return { message, ...place };
}

function cure({ message }: ThreadError): string {
  const typeName = /does not provide an export named '(Story|StoryProps|Scenario|ScenarioName)'/.exec(message)?.[1];
  if (typeName) return `. Types are imported as types: import type { ${typeName} } from '@gantry/lab/scenario';`;
  const missing = /Cannot find module '(.+?)' imported from/.exec(message)?.[1];
  if (missing && !/\.\w+$/.test(missing)) return '. Node needs the extension of a file: ./people.ts, not ./people.';
  if (message.includes('TypeScript enum') || message.includes('parameter property')) {
    return '. Node strips types and compiles nothing: write plain objects and functions in story files.';
  }
  return '';
}

/** Finds the first place of a stack in the file: `FILE:3:14`, or `FILE:3` above the line. */
function placeIn(file: string, stack: string): { readonly line: number; readonly column?: number } | undefined {
  for (const line of stack.split('\n')) {
    const match = /((?:file:\/\/)?\/?[^()\s]*?):(\d+)(?::(\d+))?\)?$/.exec(line);
    if (!match || pathOf(match[1] as string) !== file) continue;
    return { line: Number(match[2]), ...(match[3] && { column: Number(match[3]) }) };
  }
  return undefined;
}

function pathOf(place: string): string {
  try {
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  } catch {
    return place;
  }
}

/** Gets the line of a syntax error from Node: V8 omits it for modules. */
function syntaxPlace(file: string): Promise<{ readonly line: number } | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 5_000 }, (_error, _out, said) => {
      const line = said.split('\n').find((text) => text.includes(`${basename(file)}:`));
      const number = /:(\d+)$/.exec(line ?? '')?.[1];
      resolve(number ? { line: Number(number) } : undefined);
    });
  });
}
