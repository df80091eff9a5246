import type { ChangeLog, Database } from '@gantry/store';
import { type GrantsAnswer, type GrantsRequest, SocialError } from '@gantry/wire';
import * as v from 'valibot';
import { checked } from './checked.ts';
import { readJsonBody } from './container-request.ts';
import type { GadgetTokens } from './gadget-token.ts';
import { decide } from './grants.ts';
import type { Endpoint } from './page-request.ts';
import { jsonAnswer } from './responses.ts';

const names = v.optional(
  v.pipe(
    v.array(v.pipe(v.string('text'), v.maxLength(300, 'short')), 'a list'),
    v.maxLength(200, 'a list of at most 200'),
  ),
);
const bodySchema = v.object(
  { token: v.pipe(v.string('text'), v.maxLength(4096, 'a gadget token')), grant: names, revoke: names },
  'an object with token, and with grant or revoke',
);

/**
 * Answers `POST /gantry/grants`. The token says for which app and member the page showed its question: whoever signed in
 * meanwhile decides nothing (security rule 3).
 */
export function createGrants(options: {
  readonly db: Database;
  readonly tokens: GadgetTokens;
  readonly now: () => number;
  readonly log: ChangeLog;
}): Endpoint {
  const { db, tokens, now, log } = options;

  return async (page, viewer) => {
    if (viewer === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.'); // before the body is read
    const body = checked(bodySchema, await readJsonBody(page), 'The body') as GrantsRequest;
    const check = await tokens.check(body.token);
    if ('refused' in check) throw new SocialError('UNAUTHORIZED', 'The gadget token is not valid.');
    const { claims } = check;
    if (claims.viewer !== viewer) throw new SocialError('UNAUTHORIZED', 'Another member is signed in now.');
    const { grant = [], revoke = [] } = body;
    const access = await decide(db, { viewer, app: claims.app, grant, revoke, nowMs: now(), log });
    if (access === undefined) throw new SocialError('NOT_FOUND', 'There is no such app.');
    const { granted, needed, optional } = access;
    return jsonAnswer({ granted, needed, optional } satisfies GrantsAnswer);
  };
}
