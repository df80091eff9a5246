import { findRollback, type Rollback, rollbackApp, UsageError, versionLabel } from '@gantry/server';
import { askYes } from 'create-gantry';
import { withFlags } from '../../command.ts';
import { localActor } from './actor.ts';
import { appFlags, withApps } from './app-stores.ts';

const options = { ...appFlags, 'despite-data': { type: 'boolean' } } as const;

export const rollback = withFlags({ options }, async ({ positionals: [id, version, ...more], values, env, print }) => {
  if (!id || more.length > 0) throw new UsageError('gantry app rollback takes the id of an app and a version.');
  await withApps({ values, env }, async ({ stores }) => {
    const planned = await findRollback(stores, id, version);
    const despiteData = values['despite-data'] || (planned.crossesData && (await isConfirmed(id, planned)));
    const { from, to, crossesData } = await rollbackApp(stores, id, {
      ...{ version: planned.to.digest, despiteData, by: localActor() },
    });
    const facts = { id, from: from.digest, version: to.digest, label: to.manifest.version, crossesData };
    const lines = [
      `Rolled back ${id} from ${versionLabel(from)} to ${versionLabel(to)}. Open pages load it at a quiet moment.`,
      ...(crossesData ? [dataLine(planned)] : []),
    ];
    print(facts, lines.join('\n'));
  });
});

/** Asks at a terminal. Without one the roll-back is refused, and the audit says so. */
async function isConfirmed(id: string, planned: Rollback): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const question = `${dataLine(planned)}\nRoll ${id} back to ${versionLabel(planned.to)}?`;
  if (await askYes(question)) return true;
  throw new UsageError('Nothing was changed.');
}

function dataLine({ from, to }: Rollback): string {
  return `Data is not rolled back: what ${versionLabel(from)} saved is for data ${from.manifest.data}, and ${versionLabel(to)} reads data ${to.manifest.data}.`;
}
