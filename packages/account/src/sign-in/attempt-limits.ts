import { createHash } from 'node:crypto';
import type { AttemptLimit } from '@gantry/service/account';
import type { Client } from '../http/client.ts';
import { clientNetwork, networkOfClient } from '../http/network.ts';

export interface AttemptOf {
  readonly memberId: string;
  readonly client: Client;
}

/**
 * Wrong attempts in a quarter of an hour. A network has few for one member, so that guesses from
 * one place neither succeed nor keep the member out elsewhere; all networks together have as many
 * as NIST SP 800-63B (5.2.2) allows for an account.
 */
const most = { address: 50, memberAndNetwork: 10, member: 100 } as const;

/** Returns the limits of an attempt, the address first: beyond its own it spends no others. */
export function limitsOf({ memberId, client }: AttemptOf): readonly AttemptLimit[] {
  const { address, isDistinct = true } = client;
  return [
    ...(address !== undefined && isDistinct ? [limit('address', [clientNetwork(address)])] : []),
    limit('memberAndNetwork', [memberId, networkOfClient(client)]),
    limit('member', [memberId]),
  ];
}

function limit(kind: keyof typeof most, names: readonly string[]): AttemptLimit {
  const subject = createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('base64url');
  return { subject, most: most[kind] };
}
