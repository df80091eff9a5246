import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunksOf, packVersion } from '@gantry/proxy';
import { isBuildFolder, readFiles, UsageError } from '@gantry/server';
import { countText } from '@gantry/wire/runtime';
import { onlyFolder, withFlags } from '../../command.ts';
import { shortVersion } from '../../registry/find-version.ts';
import { sizeText } from '../../terminal/size-text.ts';

const options = { out: { type: 'string' }, json: { type: 'boolean' } } as const;

/** `gantry app pack` */
export const pack = withFlags({ options }, async ({ values, positionals, print }) => {
  const folder = onlyFolder(positionals, 'app pack');
  const { source, manifest } = await readFiles({ folder });
  const { list } = source;
  const chunks = new Map<string, Uint8Array>(); // a version is small enough to be held
  for await (const [digest, bytes] of source.read(chunksOf(list).keys())) chunks.set(digest, bytes);
  const file = resolve(values.out ?? `${nameOf(folder)}-${manifest.version ?? shortVersion(list.digest)}.tar`);
  await write(
    packVersion(list, async (digest) => chunks.get(digest)),
    file,
  );
  const { digest: version, files, bytes } = list;
  const facts = { file, version, name: manifest.name, label: manifest.version, files: files.length, bytes };
  print(facts, `${file}: ${countText(files.length, 'file')}, ${sizeText(bytes)}, version ${shortVersion(version)}`);
});

function nameOf(folder: string): string {
  const name = basename(folder);
  return isBuildFolder(name) ? basename(resolve(folder, '..')) : name;
}

/** Writes a new file; one that is there stays. @throws UsageError */
async function write(content: ReadableStream<Uint8Array>, file: string): Promise<void> {
  try {
    await pipeline(
      Readable.fromWeb(content as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(file, { flags: 'wx' }),
    );
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${file} exists already: --out FILE.`, { cause });
    await rm(file, { force: true });
    throw cause;
  }
}
