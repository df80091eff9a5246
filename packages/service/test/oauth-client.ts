import { type Parameter, type SigningConsumer, signRequest } from '@gantry/oauth';
import { allowAuthorization, type Flow } from '@gantry/service/account';
import { publicUrl, type Site } from './site.ts';

export interface Token {
  readonly key: string;
  readonly secret: string;
}

export interface Call {
  readonly path: string;
  readonly method?: string;
  readonly consumer: SigningConsumer;
  readonly token?: Token | undefined;
  /** Further parameters, signed and sent like OAuth's own. */
  readonly parameters?: readonly Parameter[];
  readonly placement?: 'header' | 'query' | 'form';
  readonly body?: string;
  readonly signsBody?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly nonce?: string;
  readonly timestamp?: number;
}

export interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

let nonces = 0;

/** Signs a request, places its parameters and sends it to the service. */
export async function ask(site: Site, call: Call): Promise<Told> {
  const { path, method = 'GET', consumer, token, parameters = [], placement = 'header', body, headers = {} } = call;
  const { authorization } = signRequest({
    method,
    url: publicUrl + path,
    consumer,
    ...(token && { token }),
    parameters,
    ...(call.signsBody && body !== undefined && { body }),
    timestamp: call.timestamp ?? Math.floor(site.nowMs / 1000),
    nonce: call.nonce ?? `client ${++nonces}`,
  });
  const pairs = authorization.slice('OAuth '.length).replaceAll('"', '').split(', ').join('&');
  const sent: Record<string, string> = {
    ...(placement === 'header' && { authorization }),
    ...(placement === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const bytes = placement === 'form' ? pairs : body;
  const answer = await site.service.answer({
    method,
    rawTarget: placement === 'query' ? `${path}${path.includes('?') ? '&' : '?'}${pairs}` : path,
    host: new URL(publicUrl).host,
    header: (name) => sent[name],
    body: bytes === undefined ? undefined : Buffer.from(bytes),
  });
  return { ...answer, text: await new Response(answer.body as string | ReadableStream | null).text() };
}

/** Returns the `oauth_problem` of a 401. */
export function problem({ headers }: Told): string | undefined {
  return /oauth_problem="([a-z_]+)"/.exec(headers['WWW-Authenticate'] ?? '')?.[1];
}

const root = { member: '/oauth', admin: '/admin/oauth' } as const;

export function tokenOf({ text }: Told): Token {
  const fields = new URLSearchParams(text);
  return { key: fields.get('oauth_token') ?? '', secret: fields.get('oauth_token_secret') ?? '' };
}

export function requestToken(site: Site, call: Partial<Call> & Pick<Call, 'consumer'>, flow: Flow = 'member') {
  return ask(site, { path: `${root[flow]}/request_token`, ...call });
}

export function accessToken(
  site: Site,
  { verifier, ...call }: Partial<Call> & Pick<Call, 'consumer'> & { readonly verifier: string },
  flow: Flow = 'member',
) {
  const parameters: Parameter[] = [['oauth_verifier', verifier]];
  return ask(site, { path: `${root[flow]}/access_token`, parameters, ...call });
}

/** Returns the verifier that a member copies from the page after an out-of-band approval. */
export async function consent(site: Site, { key: token }: Token, memberId: string, flow: Flow = 'member') {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
  const answer = await allowAuthorization(site.db, { token, flow, memberId, nowMs: site.nowMs, random });
  return answer && 'verifier' in answer ? answer.verifier : '';
}

/** Takes all three steps and returns an access token that a member granted. */
export async function authorized(site: Site, consumer: SigningConsumer, memberId: string, flow: Flow = 'member') {
  const token = tokenOf(await requestToken(site, { consumer }, flow));
  const verifier = await consent(site, token, memberId, flow);
  return tokenOf(await accessToken(site, { consumer, token, verifier }, flow));
}
