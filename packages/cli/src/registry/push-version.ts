import { chunksOf, type MissingAnswer, type PushAnswer, type VersionSource } from '@gantry/proxy';
import { type RegistryClient, SiteRefusal } from './site-client.ts';

/** A version to push: its files, and the members of the commit beside them. */
export interface Push {
  readonly app: string;
  readonly source: VersionSource;
  readonly commit: object;
  /** Called with the bytes that were sent, and those that the site lacks. */
  readonly progress?: (sent: number, missing: number) => void;
}

const atOnce = 4;
/** Chunks can go away between two steps, if the push waited for a day. */
const rounds = 3;

/** Sends what a site lacks of a version, and makes it there. A push that stopped goes on. */
export async function pushVersion(client: RegistryClient, push: Push): Promise<PushAnswer> {
  const { app, source, commit } = push;
  const { files } = source.list;
  for (let round = 1; ; round++) {
    const { missing } = await client.post<MissingAnswer>(`/apps/${app}/missing`, { files });
    await sendChunks(client, push, missing);
    try {
      return await client.post<PushAnswer>(`/apps/${app}/versions`, { files, ...commit });
    } catch (error) {
      const isConflict = error instanceof SiteRefusal && error.status === 409;
      if (!isConflict || round === rounds) throw error;
      const again = await client.post<MissingAnswer>(`/apps/${app}/missing`, { files });
      if (again.missing.length === 0) throw error;
    }
  }
}

async function sendChunks(client: RegistryClient, { source, progress }: Push, missing: readonly string[]) {
  const sizes = chunksOf(source.list);
  const total = missing.reduce((sum, digest) => sum + (sizes.get(digest) ?? 0), 0);
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let sent = 0;
  progress?.(0, total);
  for await (const [digest, bytes] of source.read(missing)) {
    if (failures.length > 0) break;
    const sending = client
      .put(`/chunks/${digest}`, bytes)
      .then(() => {
        sent += bytes.byteLength;
        progress?.(sent, total);
      })
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => inFlight.delete(sending));
    inFlight.add(sending);
    if (inFlight.size >= atOnce) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
  if (failures.length > 0) throw failures[0];
}
