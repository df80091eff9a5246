import { mark } from './made-file.ts';
import type { ModuleForm } from './node-source.ts';

/** Decides the text of the module beside a Node site. */
export interface NodeModule {
  readonly form: Pick<ModuleForm, 'isTypeScript' | 'hasImports'>;
  /** Public address of the site, an origin. */
  readonly url: string;
  /** The data folder, relative to the folder that the site is started in, or absolute. */
  readonly data: string;
  /** Expression for the member's id in a request. Absent: Gantry's own pages sign members in. */
  readonly member?: MemberPlace | undefined;
  /** The module wraps the site's handler; otherwise it is a middleware. */
  readonly wraps: boolean;
}

/** The member's id in a request: an expression of `request`, and the type of what the session middleware adds. */
export interface MemberPlace {
  readonly expression: string;
  readonly type: string;
}

/** Returns the place of what the site's code assigns to `request.session.KEY`, or of what Passport adds. */
export function memberPlace(key: string | undefined, { hasPassport }: { readonly hasPassport: boolean }): MemberPlace {
  if (key === undefined && hasPassport) return { expression: 'request?.user?.id', type: '{ user?: { id?: unknown } }' };
  const name = key ?? 'memberId';
  if (/^(member|user|account)$/i.test(name)) {
    // The id, or an object that has it: code alone does not say which.
    const place = `request?.session?.${name}`;
    return {
      expression: `typeof ${place} === 'object' ? ${place}?.id : ${place}`,
      type: `{ session?: { ${name}?: string | number | { id?: unknown } } }`,
    };
  }
  return { expression: `request?.session?.${name}`, type: `{ session?: { ${name}?: unknown } }` };
}

/** Writes the module that puts Gantry before a Node site: who is signed in, and what answers Gantry's paths. */
export function nodeModule(options: NodeModule): string {
  const { form, member, wraps } = options;
  const typed = (type: string) => (form.isTypeScript ? `: ${type}` : '');
  const name = wraps ? 'withGantry' : 'gantryListener';
  return `// ${mark}: Gantry in front of this site. The file is yours; change what you like.
${importLines(options)}
/** Address of the site as browsers show it. Requests for another host are refused. */
const url = process.env.GANTRY_URL ?? ${quoted(options.url)};
/** Keys and the database: for the server only. Back it up. */
const data = process.env.GANTRY_DATA ?? ${quoted(options.data)};

const ready = createGantry({ data, database: process.env.GANTRY_DATABASE, url${member ? ', viewer' : ''} });
const listening = ready.then((gantry) => toNodeListener(gantry));
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
  response.setHeader('Content-Security-Policy', \`frame-src \${url}/gantry/apps/\`);
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(page ?? 'gadgets.html is not in the folder in which the site was started.');
}
${wraps ? wrapperCode(form) : ''}${form.hasImports ? '' : `\nmodule.exports = { ${name} };\n`}`;
}

function parameters(isTypeScript: boolean): string {
  if (!isTypeScript) return 'request, response, next';
  return '\n  request: IncomingMessage,\n  response: ServerResponse,\n  next: () => void,\n';
}

function importLines({ form }: NodeModule): string {
  const imports = [
    ['{ readFile }', 'node:fs/promises'],
    ...(form.isTypeScript ? [['type { IncomingMessage, ServerResponse }', 'node:http']] : []),
    ['{ createGantry, toNodeListener }', '@gantry/server'],
  ];
  return imports
    .map(([names, from]) =>
      form.hasImports ? `import ${names} from '${from}';\n` : `const ${names} = require('${from}');\n`,
    )
    .join('');
}

function viewerCode({ expression, type }: MemberPlace, isTypeScript: boolean): string {
  const typed = (text: string) => (isTypeScript ? text : '');
  const declared = `/** A request after the site's own session. */\ntype SiteRequest = IncomingMessage & ${type};\n\n`;
  return `
${typed(declared)}/** Names the signed-in member: the id that the site's session keeps. */
async function viewer(_${typed(': Request')}, request${typed('?: SiteRequest')}) {
  const id = ${expression};
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  await remember(String(id));
  return String(id);
}

const known = new Set${typed('<string>')}();

/** Tells Gantry of a member when it first sees them. Friends, a picture and more are records, too: docs/world-file.md */
async function remember(id${typed(': string')}) {
  if (known.has(id)) return;
  const displayName = \`Member \${id}\`; // put the name here that the site shows for them
  await (await ready).saveRecords([{ kind: 'member', id, displayName }]);
  known.add(id);
}
`;
}

function wrapperCode({ isTypeScript, hasImports }: Pick<ModuleForm, 'isTypeScript' | 'hasImports'>): string {
  const typed = (type: string) => (isTypeScript ? `: ${type}` : '');
  return `
/** Returns a handler that asks Gantry first and leaves the rest to the site's own. */
${hasImports ? 'export ' : ''}function withGantry(handler${typed('(request: IncomingMessage, response: ServerResponse) => unknown')}) {
  return (request${typed('IncomingMessage')}, response${typed('ServerResponse')}) =>${isTypeScript ? '\n   ' : ''} gantryListener(request, response, () => handler(request, response));
}
`;
}

/** Writes a text as a JavaScript string in single quotes, which most code has. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
