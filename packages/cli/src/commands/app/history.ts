import { type HistoryEntry, listHistory, shownDigits } from '@gantry/server';
import { table } from '../../terminal/output.ts';
import { sizeText } from '../../terminal/size-text.ts';
import { noSuchApp, onApp } from './app-stores.ts';

export const history = onApp('history', async ({ stores, id, print }) => {
  const entries = await listHistory(stores, id);
  if (entries === undefined) throw noSuchApp(id);
  const versions = entries.map(factsOf);
  const rows = versions.map(({ version, label = '', state, bytes, madeAt, madeBy, members }) => [
    version.slice(0, shownDigits),
    label,
    members.length === 0 ? state : `${state}, previewed by ${members.join(' ')}`,
    sizeText(bytes),
    madeAt,
    madeBy,
  ]);
  const headings = ['version', 'named', 'state', 'size', 'made', 'by'];
  print({ app: id, versions }, table(headings, rows, `${id} has no stored version: gantry app add --help`));
});

function factsOf({ digest: version, manifest, state, isLive, bytes, madeBy, madeAtMs, ...entry }: HistoryEntry) {
  const { decidedBy, decidedAtMs, previews: members } = entry;
  return {
    ...{ version, label: manifest.version, state: isLive ? 'live' : state, name: manifest.name, bytes, members },
    ...{ madeBy, madeAt: new Date(madeAtMs).toISOString(), decidedBy },
    ...(decidedAtMs !== undefined && { decidedAt: new Date(decidedAtMs).toISOString() }),
  };
}
