import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { endAppPreview, type FilesPlace, listHistory, previewApp, UsageError, versionLabel } from '@gantry/server';
import { withFlags } from '../../command.ts';
import { localActor } from './actor.ts';
import { appFlags, noSuchApp, withApps } from './app-stores.ts';

const options = { ...appFlags, members: { type: 'string' }, end: { type: 'boolean' } } as const;

export const preview = withFlags({ options }, async ({ positionals: [id, subject, ...more], values, env, print }) => {
  if (!id || more.length > 0) throw new UsageError('gantry app preview takes the id of an app and a version.');
  const members = values.members?.split(',').map((member) => member.trim());
  if (subject === undefined ? values.end || members : !values.end && !members) {
    throw new UsageError('Name a folder, a packed file or a version, and --members, or --end. See gantry app --help.');
  }
  await withApps({ values, env }, async ({ stores }) => {
    const by = localActor();
    if (subject === undefined) {
      const offered = (await listHistory(stores, id))?.filter(({ previews }) => previews.length > 0);
      if (offered === undefined) throw noSuchApp(id);
      const facts = offered.map(({ digest: version, previews }) => ({ version, members: previews }));
      const lines = offered.map((version) => `${versionLabel(version)}: ${version.previews.join(', ')}`);
      return print(facts, lines.join('\n') || `No version of ${id} is previewed.`);
    }
    if (values.end) {
      const ended = await endAppPreview(stores, id, { version: subject, members, by });
      const whose = members ? `for ${members.join(', ')}` : 'for all members';
      return print({ id, version: ended.digest, members }, `Ended the preview of ${versionLabel(ended)} ${whose}.`);
    }
    const place = (await placeOf(subject)) ?? { version: subject };
    const version = await previewApp(stores, id, { ...place, members: members ?? [], by });
    const lines = [
      `Offered ${versionLabel(version)} of ${id} to ${members?.join(', ')}. Each is asked once, where the gadget is.`,
      'Whoever knows its whole digest can fetch its files.',
    ];
    print({ id, version: version.digest, members }, lines.join('\n'));
  });
});

/** Returns the place of files, if a path names any. */
async function placeOf(subject: string): Promise<FilesPlace | undefined> {
  const path = resolve(subject);
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) return undefined;
  return entry.isDirectory() ? { folder: path } : { file: path };
}
