import {
  type Call,
  type CallReply,
  type CallsRequest,
  type Consent,
  type Instance,
  type InstanceRequest,
  operation,
  operationIds,
  optionalPersonFields,
  type PermissionName,
  type PreviewRequest,
  type Reply,
  type ResourceRequest,
} from '@gantry/wire';
import type { Fetch } from '../src/calls/proxy-client.ts';

/** Stands in for the network: the proxy's protocol in memory, with everything that it was sent. */
export interface Network {
  readonly fetch: Fetch;
  readonly posts: readonly Post[];
  /** The signed-in member. */
  viewer: string | undefined;
  /** Ids of apps that the site has paused. */
  readonly paused: Set<string>;
  /** Live version of every app; absent for live folders. */
  live: string | undefined;
  /** Versions that the site has beside the live one. */
  readonly kept: Set<string>;
  /** Version that every viewer is offered, and the decision about it. */
  preview: { readonly version: string; readonly accept?: boolean } | undefined;
  upstream: string;
  /** Returns the title of an app. */
  title: (app: string) => string;
  expiresIn: number;
  preload: readonly ResourceRequest[];
  /** Calls and permissions of every app. */
  uses: readonly string[];
  permissions: readonly PermissionName[];
  consent: Consent;
  /** Replies of the site. */
  site: (call: Call, token: Token) => Reply | Promise<Reply>;
  /** Tokens that have run out. */
  readonly expired: Set<string>;
  /** Answers of every POST go through this. */
  transform: (response: Response, post: Post) => Response | Promise<Response>;
  /** Bodies of `POST calls`. */
  calls(): readonly CallsRequest[];
}

export interface Post {
  readonly path: 'instances' | 'calls' | 'grants' | 'previews';
  readonly body: unknown;
  readonly init: RequestInit;
}

export interface Token {
  readonly app: string;
  readonly viewer?: string;
  readonly owner?: string;
  readonly serial: number;
}

export function createNetwork(): Network {
  const posts: Post[] = [];
  let serial = 0;

  function versionFor(asked: string | undefined): Pick<Instance, 'version' | 'live' | 'preview'> {
    const { live, kept, preview } = network;
    const isKept = asked !== undefined && (asked === live || asked === preview?.version || kept.has(asked));
    const version = isKept ? asked : preview?.accept ? preview.version : live;
    return {
      ...(version && { version }),
      ...(live && live !== version && { live }),
      ...(preview && preview.version === version && { preview: 'shown' }),
      ...(preview && preview.accept === undefined && { preview: 'offered' }),
    };
  }

  function openInstance({ app, owner = network.viewer, view = 'home', version }: InstanceRequest): Reply<Instance> {
    if (app === 'unknown')
      return { error: { code: 404, message: 'There is no such app.', data: { reason: 'NOT_FOUND' } } };
    if (network.paused.has(app)) return { error: { code: 503, message: 'Paused.', data: { reason: 'APP_PAUSED' } } };
    serial += 1;
    const who = { ...(network.viewer && { viewer: network.viewer }), ...(owner && { owner }) };
    return {
      ok: {
        instance: `i${serial}`,
        token: JSON.stringify({ app, ...who, serial } satisfies Token),
        expiresIn: network.expiresIn,
        document: `https://site.test/gantry/apps/${app}/index.html`,
        sandbox: 'allow-scripts allow-forms',
        upstream: network.upstream,
        preload: network.preload,
        consent: network.consent,
        ...versionFor(version),
        revokedAtMs: 0,
        uses: network.uses,
        context: {
          app: { id: app, title: network.title(app) },
          ...who,
          view,
          views: ['home', 'profile', 'canvas'],
          height: 320,
          operations: [],
          permissions: network.permissions,
        },
      },
    };
  }

  async function answerCall(call: Call, tokens: CallsRequest['tokens']): Promise<CallReply> {
    const text = tokens[call.instance] as string;
    const token: Token = JSON.parse(text);
    if (network.expired.has(text)) return { id: call.id, ...refusal('TOKEN_EXPIRED') };
    if (token.viewer !== network.viewer) return { id: call.id, ...refusal('VIEWER_CHANGED') };
    return { id: call.id, ...(await network.site(call, token)) };
  }

  const network: Network = {
    posts,
    viewer: '1',
    paused: new Set(),
    live: undefined,
    kept: new Set(),
    preview: undefined,
    consent: { needed: [], optional: [] },
    upstream: 'site',
    title: (app) => app,
    expiresIn: 600,
    preload: [],
    uses: operationIds.map((id) => operation(id).osapi),
    permissions: [
      ...operationIds.map((id) => operation(id).permission),
      ...optionalPersonFields.map((field) => `people.${field}` as const),
    ],
    expired: new Set(),
    site: (call, token) => ({ ok: { answered: call.operation, for: token.viewer } }),
    transform: (response) => response,
    calls: () => posts.flatMap(({ path, body }) => (path === 'calls' ? [body as CallsRequest] : [])),
    async fetch(url, init) {
      const path = url.pathname.split('/').at(-1) as Post['path'];
      const post: Post = { path, body: JSON.parse(init.body as string), init };
      posts.push(post);
      if (path === 'instances') {
        return network.transform(Response.json((post.body as InstanceRequest[]).map(openInstance)), post);
      }
      if (path === 'previews' && network.preview) {
        network.preview = { ...network.preview, accept: (post.body as PreviewRequest).accept };
      }
      if (path !== 'calls')
        return network.transform(Response.json({ granted: network.permissions, ...network.consent }), post);
      const { tokens, calls } = post.body as CallsRequest;
      const lines = new ReadableStream<Uint8Array<ArrayBuffer>>({
        async start(controller) {
          init.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          await Promise.all(
            calls.map(async (call) => {
              const line = `${JSON.stringify(await answerCall(call, tokens))}\n`;
              controller.enqueue(new TextEncoder().encode(line));
            }),
          );
          controller.close();
        },
      });
      return network.transform(new Response(lines), post);
    },
  };
  return network;
}

function refusal(reason: string): Reply {
  return { error: { code: 401, message: 'Refused.', data: { reason } } };
}
