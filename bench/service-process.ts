// The measured server, in a process of its own so that its CPU time is its alone.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseTarget } from '@gantry/oauth';
import { openNonceLog } from '@gantry/service';
import { createAuthenticator } from '../packages/service/src/auth/authenticate.ts';
import { createVerifier } from '../packages/service/src/auth/verify-request.ts';
import type { Cost } from './figures/rounds.ts';
import { friendsUrl, signed, startBenchSite } from './site.ts';

const { url, consumer, stores, close } = await startBenchSite();
const nonces = await openNonceLog(mkdtempSync(join(tmpdir(), 'gantry-bench-nonces-')));
const verify = createVerifier({ nonces, secretKey: stores.secretKey, now: Date.now });
const authenticate = createAuthenticator({ db: stores.db, verify });

/** Microseconds per request for OAuth alone: parsing, signature, consumer, nonce. */
async function oauthCost(requests: number): Promise<Cost> {
  const target = friendsUrl(url).slice(url.length);
  const list = Array.from({ length: requests }, () => signed(url, consumer).Authorization);
  const [before, startMs] = [cpu(), performance.now()];
  for (const authorization of list) {
    const header = (name: string) => (name === 'authorization' ? authorization : undefined);
    await authenticate({ method: 'GET', origin: url, target: parseTarget(target), header, body: undefined });
  }
  return { wall: ((performance.now() - startMs) * 1_000) / requests, cpu: (cpu() - before) / requests };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

process.on('message', async (command: 'cpu' | { readonly oauth: number }) => {
  process.send?.(command === 'cpu' ? cpu() : await oauthCost(command.oauth));
});
process.once('disconnect', async () => {
  await nonces.close();
  await close();
});
process.send?.({ url, consumer });
