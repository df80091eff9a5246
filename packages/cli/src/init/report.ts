import type { Change, Found, Framework, Plan } from './plan.ts';
import { type DataState, sampleFile } from './prepare-data.ts';

const names: Readonly<Record<Framework, string>> = {
  express: 'Express',
  next: 'Next.js',
  node: 'a Node server',
  php: 'PHP',
  flask: 'Flask',
  other: 'another kind of site',
};

/** Says what was found and why. */
export function foundLine({ framework, reason }: Found): string {
  return `Found ${names[framework]}: ${reason}.`;
}

/** Says what is made in the data folder, of which nothing is shown. */
export function dataLines({ data, signIn }: Plan, { exists, missing }: DataState): readonly string[] {
  if (missing.length === 0) return [];
  const keys = exists ? '' : 'new keys and a database, for you only; ';
  const samples =
    signIn === 'gantry' && !exists ? `; two sample members, whose passwords are in ${sampleFile} there` : '';
  const apps = missing.length === 1 ? `gadget ${missing[0]}` : `gadgets ${missing.join(' and ')}`;
  return [`In ${data}: ${keys}the ${apps}, registered${samples}.`];
}

/** Returns a change as `--json` prints it. */
export function changeJson({ path, before, isSecret }: Change): object {
  return { path, done: before === undefined ? 'made' : 'changed', ...(isSecret && { secret: true }) };
}

/** Says what to do next, where the site does not run with Gantry yet. */
export function nextLines(
  { signIn, data, page }: Plan,
  { next, url }: { readonly next: readonly string[]; readonly url: string },
) {
  const own = signIn === 'gantry' ? `, and sign in as ada (password: ${data}/${sampleFile})` : '';
  return [
    `Checked what needs no running site: all in order. Gantry does not answer at ${url} yet. Next:`,
    ...next.map((line) => `  ${line}`),
    `Then open ${url}${page}${own}.`,
    `Afterwards npx @gantry/cli check --url ${url} --data ${data} tries the whole way.`,
  ];
}
