import { hash } from 'node:crypto';
import { type PreviewRequest, SocialError } from '@gantry/wire';
import * as v from 'valibot';
import type { GadgetTokens } from '../gadgets/gadget-token.ts';
import { claimsOf } from '../gadgets/identify-gadgets.ts';
import { readBody } from '../http/container-request.ts';
import type { Endpoint } from '../http/page-request.ts';
import { jsonAnswer } from '../http/responses.ts';
import type { Ports } from '../ports.ts';
import { decidePreview } from './previews.ts';

const bodySchema = v.object(
  { token: v.pipe(v.string('text'), v.maxLength(4096, 'a gadget token')), accept: v.boolean('true or false') },
  'an object with token and accept',
);

/** Answers `POST /gantry/previews`. The token names the version that the member was asked about. */
export function createPreviewsEndpoint(
  options: Pick<Ports, 'db' | 'now' | 'log'> & { readonly tokens: GadgetTokens },
): Endpoint {
  const { db, now, log, tokens } = options;
  return async (page, member) => {
    if (member === undefined) throw new SocialError('UNAUTHORIZED', 'Nobody is signed in.'); // before the body is read
    const { token, accept } = (await readBody(page, bodySchema)) as PreviewRequest;
    const { app, registration, preview: version } = await claimsOf(tokens, token, member);
    const decision = { app, registration, member: member.id, accept, nowMs: now() };
    const isOffered = version !== undefined && (await decidePreview(db, { ...decision, version }));
    if (!isOffered) throw new SocialError('NOT_FOUND', 'No version of this app is offered to this member now.');
    const name = hash('sha256', member.id, 'hex').slice(0, 12); // logs hold no ids
    log.info({ member: name, app, version }, accept ? 'preview accepted' : 'preview declined');
    return jsonAnswer({});
  };
}
