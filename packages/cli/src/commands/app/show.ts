import { type AppFacts, placeText, readFacts } from '@gantry/server';
import { countText } from '@gantry/wire/runtime';
import { permissionLines } from '../../app-check/check-app.ts';
import { factsOf } from '../../app-check/fact-lines.ts';
import { noSuchApp, onApp } from './app-stores.ts';
import { timesOf, versionText } from './list.ts';

export const show = onApp('show', async ({ stores, id, print }) => {
  const facts = await readFacts(stores, id);
  if (facts === undefined) throw noSuchApp(id);
  const { name, source, state, trusted, needs, mayAsk, members, use, consumerKey: key, manifest, bytes } = facts;
  const about = { id, name, source, bytes, manifest, state, trusted, needs, mayAsk, members };
  const json = { ...about, ...use, key, ...timesOf(facts) };
  print(json, linesOf(facts).join('\n'));
});

function linesOf(facts: AppFacts): readonly string[] {
  const { id, name, source, state, trusted, needs, mayAsk, members, use, consumerKey, manifest } = facts;
  const { registeredAt, updatedAt, removedAt } = timesOf(facts);
  const isRemoved = removedAt !== undefined;
  const entries: readonly (readonly [string, string] | undefined)[] = [
    [
      'state',
      isRemoved ? `removed on ${removedAt}; for the next app under this id, use add with --update or --replace` : state,
    ],
    manifest && ['version', versionText({ ...facts, manifest })],
    ['from', placeText(source)],
    isRemoved ? undefined : ['consent', trusted ? 'the site trusts it' : 'members are asked'],
    ['members', `${members} allowed it, have it, or have data saved by it`],
    use && ['has it', String(use.haveIt)],
    use && ['AppData', `${countText(use.savedBytes, 'byte')} of ${countText(use.savedFor, 'member')}`],
    isRemoved ? undefined : ['key', consumerKey],
    ['registered', registeredAt ?? 'by version 0.1'],
    updatedAt === undefined ? undefined : ['updated', updatedAt],
    ...(manifest ? factsOf(manifest) : [])
      .filter(([heading]) => heading !== 'Version')
      .map(([heading, text]) => [heading.toLowerCase(), text] as const),
  ];
  return [
    `${id}: ${name}`,
    ...entries.flatMap((entry) => (entry ? [`${entry[0].padEnd(11)}  ${entry[1]}`] : [])),
    ...permissionLines('It needs to:', needs),
    ...permissionLines('While it runs it may ask to:', mayAsk),
  ];
}
