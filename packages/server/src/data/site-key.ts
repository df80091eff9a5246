import { createPublicKey, generateKeyPair, randomUUID } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

/**
 * Returns the public half of the site's RSA key in PEM, creating the pair on first use. The private
 * half stays in the data folder, readable by its owner only.
 *
 * @throws Error in one sentence if the file holds no key.
 */
export async function readSitePublicKey(data: string): Promise<string> {
  const path = join(data, 'site-key.pem');
  const pem = (await readSiteKey(data)) ?? (await makeKey(path));
  try {
    return publicHalf(pem);
  } catch {
    throw new Error(`${path} is not a private key in PEM. Restore it from a backup, or remove it to get a new one.`);
  }
}

/** Returns the private half in PEM, if the data folder has one. */
export async function readSiteKey(data: string): Promise<string | undefined> {
  return readIfThere(join(data, 'site-key.pem'));
}

/** Creates a key pair and returns its private half in PEM. */
export async function newSiteKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function publicHalf(pem: string): string {
  return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString();
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically: of processes that start at once, the first one's key counts. */
async function makeKey(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, await newSiteKey(), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, 'utf8');
}
