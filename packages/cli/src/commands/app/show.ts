import { type AppFacts, readFacts } from '@gantry/server';
import { permissionLines } from '../../app-check/check-app.ts';
import { noSuchApp, onApp } from './app-stores.ts';
import { timesOf } from './list.ts';

export const show = onApp('show', async ({ stores, id, print }) => {
  const facts = await readFacts(stores, id);
  if (facts === undefined) throw noSuchApp(id);
  const { name, source, state, trusted, needs, mayAsk, members, use, consumerKey: key } = facts;
  const json = { id, name, source, state, trusted, needs, mayAsk, members, ...use, key, ...timesOf(facts) };
  print(json, linesOf(facts).join('\n'));
});

function linesOf(facts: AppFacts): readonly string[] {
  const { id, name, source, state, trusted, needs, mayAsk, members, use, consumerKey } = facts;
  const { registeredAt, updatedAt, removedAt } = timesOf(facts);
  const isRemoved = removedAt !== undefined;
  const entries: readonly (readonly [string, string] | undefined)[] = [
    [
      'state',
      isRemoved ? `removed on ${removedAt}; for the next app under this id, use add with --update or --replace` : state,
    ],
    ['from', source.kind === 'remote' ? `${source.url} (its own server)` : `${source.folder ?? 'no folder'} (served)`],
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
    ...permissionLines('It needs to:', needs),
    ...permissionLines('While it runs it may ask to:', mayAsk),
  ];
}
