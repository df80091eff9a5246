import { signRequest } from '@gantry/oauth';
import { bystander, consumers, publicUrl, viewer, type World } from './world.ts';

/** A request before it says who sends it. */
export interface Ask {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Kinds of senders. The first one that a route knows gets most of its shapes. */
export const whos = ['key', 'app', 'member', 'anyone'] as const;
export type Who = (typeof whos)[number];

/** Credentials that a route reads. */
export type Reads = 'nothing' | 'session' | 'page' | 'signature' | 'admin signature' | 'registry key';

/** Sender of a request: who attacks is the viewer, and a bystander asks for the same meanwhile. */
export type Person = 'viewer' | 'bystander';

/** Client addresses that the proxy in front of the server passes on, of two networks. */
const addresses: Readonly<Record<Person, string>> = { viewer: '203.0.113.7', bystander: '198.51.100.9' };

interface Sender {
  readonly who: Who;
  readonly person: Person;
  readonly world: World;
  readonly reads: Reads;
}

/** Returns a request as it is sent: signed, with the cookie of a session, or without either. */
export function as({ who, person, world, reads }: Sender, ask: Ask): Ask {
  const { method, target, headers, body } = ask;
  const isForm = reads === 'session' && body !== undefined;
  return {
    ...ask,
    headers: {
      'X-Forwarded-For': addresses[person],
      ...(reads === 'page' && { 'Gantry-Container': '1' }),
      ...((reads === 'page' || isForm) && { Origin: publicUrl }),
      ...(who === 'member' && { Cookie: world.visitors[person].cookie }),
      ...((who === 'key' || who === 'app') && { Authorization: signature() }),
      ...headers,
    },
  };

  function signature(): string {
    if (reads === 'registry key') {
      const keys = world.delivery.keys[person];
      return `Bearer ${keys[Math.floor(Date.now() / 30_000) % keys.length]}`; // each may send so much
    }
    const isAdmin = reads === 'admin signature';
    // The member's own key speaks for the viewer only.
    const personal = who === 'app' || person === 'bystander' ? consumers.app : consumers.member;
    const consumer = isAdmin ? consumers.admin : personal;
    const { authorization } = signRequest({
      ...{ method, url: publicUrl + target, consumer },
      ...(!isAdmin && { parameters: [['xoauth_requestor_id', person === 'viewer' ? viewer.id : bystander.id]] }),
      ...(isAdmin && body !== undefined && { body }),
      timestamp: Math.floor(Date.now() / 1_000),
      nonce: crypto.randomUUID(),
    });
    return authorization;
  }
}
