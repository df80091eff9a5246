import { parseArgs } from 'node:util';
import { type AppFacts, readFacts, UsageError } from '@gantry/server';
import type { Output } from '../../terminal/output.ts';
import { appFlags, noSuchApp, withApps } from './app-stores.ts';
import { timesOf } from './app-times.ts';
import { permissionLines } from './permission-lines.ts';

/** `gantry app show ID` */
export async function show(args: readonly string[], env: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: appFlags, allowPositionals: true });
  const [id] = positionals;
  if (!id) throw new UsageError('gantry app show needs the id of an app.');
  await withApps({ values, env, output }, async ({ stores }) => {
    const facts = await readFacts(stores, id);
    if (facts === undefined) throw noSuchApp(id);
    if (values.json) {
      const { name, source, state, trusted, needs, mayAsk, members, use, consumerKey: key } = facts;
      return output.out(
        JSON.stringify({ id, name, source, state, trusted, needs, mayAsk, members, ...use, key, ...timesOf(facts) }),
      );
    }
    for (const line of linesOf(facts)) output.out(line);
  });
}

function linesOf(facts: AppFacts): readonly string[] {
  const { id, name, source, state, trusted, needs, mayAsk, members, use, consumerKey } = facts;
  const { registeredAt, updatedAt, removedAt } = timesOf(facts);
  const isRemoved = removedAt !== undefined;
  const entries: readonly (readonly [string, string] | undefined)[] = [
    [
      'state',
      isRemoved ? `removed on ${removedAt}; for the next app under this id, use add with --update or --replace` : state,
    ],
    ['from', source.kind === 'served' ? `${source.folder} (served)` : `${source.url} (its own server)`],
    isRemoved ? undefined : ['consent', trusted ? 'the site trusts it' : 'members are asked'],
    ['members', `${members} allowed it, have it, or have data saved by it`],
    use && ['has it', String(use.haveIt)],
    use && ['AppData', `${use.savedBytes} bytes of ${use.savedFor} members`],
    isRemoved ? undefined : ['key', consumerKey],
    ['registered', registeredAt ?? 'by version 0.1'],
    updatedAt === undefined ? undefined : ['updated', updatedAt],
  ];
  return [
    `${id}: ${name}`,
    ...entries.flatMap((entry) => (entry ? [`${entry[0].padEnd(10)}  ${entry[1]}`] : [])),
    ...(needs.length > 0 ? ['It needs to:', ...permissionLines(needs)] : []),
    ...(mayAsk.length > 0 ? ['While it runs it may ask to:', ...permissionLines(mayAsk)] : []),
  ];
}
