import type { Change } from '../project/change.ts';
import type { Found, Framework, Paste, Plan } from './plan.ts';
import { type DataState, sampleFile } from './prepare-data.ts';

const names: Readonly<Record<Framework, string>> = {
  express: 'Express',
  next: 'Next.js',
  node: 'a Node server',
  php: 'PHP',
  flask: 'Flask',
  other: 'another kind of site',
};

/** Returns a line with the detected framework and the evidence. */
export function foundLine({ framework, reason }: Found): string {
  return `Found ${names[framework]}: ${reason}.`;
}

/** Returns a line with the changes in the data folder, whose files are not shown. */
export function dataLines({ data, signIn }: Plan, { exists, missing }: DataState): readonly string[] {
  if (missing.length === 0) return [];
  const keys = exists ? '' : 'new keys and a database, for you only; ';
  const samples =
    signIn === 'gantry' && !exists ? `; two sample members, whose passwords are in ${sampleFile} there` : '';
  const apps = missing.length === 1 ? `gadget ${missing[0]}` : `gadgets ${missing.join(' and ')}`;
  return [`In ${data}: ${keys}the ${apps}, registered${samples}.`];
}

/** Returns lines that the site's owner inserts, with their place. */
export function pasteLines({ path, line, where, lines }: Paste): readonly string[] {
  return [`Insert by hand at ${path}:${line}, ${where}:`, ...lines.map((each) => `  ${each}`)];
}

/** Returns a change as `--json` prints it. */
export function changeJson({ path, before, isSecret }: Change): object {
  return { path, done: before === undefined ? 'made' : 'changed', ...(isSecret && { secret: true }) };
}

/** Returns the next steps, for a site that does not run with Gantry yet. */
export function nextLines(
  { signIn, data, page }: Plan,
  { next, url }: { readonly next: readonly string[]; readonly url: string },
) {
  const signInHint = signIn === 'gantry' ? `, and sign in as ada (password: ${data}/${sampleFile})` : '';
  return [
    `All checks that need no running site passed. Gantry does not run at ${url} yet. Next:`,
    ...next.map((line) => `  ${line}`),
    `Then open ${url}${page}${signInHint}.`,
    `Then check the whole way: npx @gantry/cli check --url ${url} --data ${data}`,
  ];
}
