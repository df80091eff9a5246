import type { SessionKey } from './find-session.ts';
import { mark, quoted } from './generated-file.ts';
import type { ModuleForm } from './node-source.ts';

/** Options of the module beside a Node site. */
export interface NodeModule {
  readonly form: Pick<ModuleForm, 'isTypeScript' | 'hasImports'>;
  /** Public address of the site, an origin. */
  readonly url: string;
  /** Data folder, absolute or relative to the folder in which the site is started. */
  readonly data: string;
  /** Place of the member's id in a request. Absent: members sign in at Gantry's own pages. */
  readonly member?: MemberPlace | undefined;
  /** The module adds Gantry to the site's server; otherwise it is middleware. */
  readonly wraps: boolean;
}

/** Place of the member's id in a request: an expression, and the type of the session middleware. */
export interface MemberPlace {
  readonly expression: string;
  readonly type: string;
  /** Evidence for the guess. */
  readonly guess: string;
}

/** Guesses the member's place: the session's key that code assigns, or Passport's user. */
export function memberPlace(session: SessionKey | undefined, hasPassport: boolean): MemberPlace {
  if (!session && hasPassport) {
    return { expression: 'request?.user?.id', type: '{ user?: { id?: unknown } }', guess: "Passport's user" };
  }
  const key = session?.key ?? 'memberId';
  const guess = `request.session.${key}, ${session ? `as in ${session.path}:${session.line}` : 'which no code assigns'}`;
  const expression = `request?.session?.${key}`;
  if (!/^(member|user|account)$/i.test(key)) return { expression, type: `{ session?: { ${key}?: unknown } }`, guess };
  // Either the id or an object with it: the code alone does not tell.
  return {
    expression: `typeof ${expression} === 'object' ? ${expression}?.id : ${expression}`,
    type: `{ session?: { ${key}?: string | number | { id?: unknown } } }`,
    guess,
  };
}

/** Returns the module that puts Gantry in front of a Node site and names the signed-in member. */
export function nodeModule(options: NodeModule): string {
  const { form, member, wraps } = options;
  const typed = (type: string) => (form.isTypeScript ? `: ${type}` : '');
  const name = wraps ? 'addGantry' : 'gantryListener';
  return `// ${mark}: Gantry in front of this site. The file is yours; change what you like.
${importLines(options)}
/** Address of the site as browsers show it. Requests for another host are refused. */
const url = process.env.GANTRY_URL ?? ${quoted(options.url)};
/** Keys and the database: for the server only. Back it up. */
const data = process.env.GANTRY_DATA ?? ${quoted(options.data)};

const ready = createGantry({ data, database: process.env.GANTRY_DATABASE, url${member ? ', viewer' : ''} });
const listening = ready.then((gantry) => toNodeListener(gantry));
listening.catch(({ message }) => {
  console.error(message); // a setting or folder that cannot be used
  process.exit(1);
});
${member ? viewerCode(member, form.isTypeScript) : ''}
/** Answers Gantry's paths and the page with gadgets; calls \`next\` for everything else. */
${wraps || !form.hasImports ? '' : 'export '}async function gantryListener(${parameters(form.isTypeScript)})${typed('Promise<void>')} {
  if (request.url?.split('?')[0] === '/gadgets.html') return sendPage(response);
  (await listening)(request, response, next);
}

async function sendPage(response${typed('ServerResponse')})${typed('Promise<void>')} {
  const page = await readFile('gadgets.html').catch(() => undefined);
  response.statusCode = page ? 200 : 404;
  // Frames of this page show apps and nothing else, so no app can take its frame elsewhere.
  // Appended: a policy that the site has set holds, too.
  response.appendHeader('Content-Security-Policy', \`frame-src \${url}/gantry/apps/\`);
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page ?? 'gadgets.html is not in the folder in which the site was started.');
}
${wraps ? wrapperCode(form) : ''}${form.hasImports ? '' : `\nmodule.exports = { ${name} };\n`}`;
}

function parameters(isTypeScript: boolean): string {
  if (!isTypeScript) return 'request, response, next';
  return '\n  request: IncomingMessage,\n  response: ServerResponse,\n  next: () => void,\n';
}

function importLines({ form, wraps }: NodeModule): string {
  const imports = [
    ['{ readFile }', 'node:fs/promises'],
    ...(form.isTypeScript ? [[`type { IncomingMessage, ${wraps ? 'Server, ' : ''}ServerResponse }`, 'node:http']] : []),
    ['{ createGantry, toNodeListener }', '@gantry/server'],
  ];
  return imports
    .map(([names, from]) =>
      form.hasImports ? `import ${names} from '${from}';\n` : `const ${names} = require('${from}');\n`,
    )
    .join('');
}

function viewerCode({ expression, type, guess }: MemberPlace, isTypeScript: boolean): string {
  const typed = (text: string) => (isTypeScript ? text : '');
  const declared = `/** A request with the site's own session. */\ntype SiteRequest = IncomingMessage & ${type};\n\n`;
  return `
${typed(declared)}/** Returns the signed-in member's id from the site's session. */
async function viewer(_${typed(': Request')}, request${typed('?: SiteRequest')}) {
  const id = ${expression}; // a guess: ${guess}
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  await remember(String(id));
  return String(id);
}

const known = new Set${typed('<string>')}();

/** Saves a member at the first request. For friends and more: docs/world-file.md */
async function remember(id${typed(': string')}) {
  if (known.has(id)) return;
  const displayName = \`Member \${id}\`; // put the member's name on your site here
  await (await ready).saveRecords([{ kind: 'member', id, displayName }]);
  known.add(id);
}
`;
}

function wrapperCode({ isTypeScript, hasImports }: Pick<ModuleForm, 'isTypeScript' | 'hasImports'>): string {
  return `
/** Puts Gantry before the handler that a server has, and returns the server. */
${hasImports ? 'export ' : ''}function addGantry(server${isTypeScript ? ': Server): Server' : ')'} {
  const handlers = server.listeners('request');
  server.removeAllListeners('request');
  return server.on('request', (request, response) =>
    gantryListener(request, response, () => {
      for (const handler of handlers) handler.call(server, request, response);
    }),
  );
}
`;
}
