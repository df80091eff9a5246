import { callsOf, type Script } from '../project/script.ts';
import { insertLine, pasteLines, statementOf, type Wiring } from './insert-line.ts';
import type { ModuleForm } from './node-source.ts';

/** Origins of the calls that create a server. */
export const serverOrigin = /^https?\.createServer$/;
export const fastifyOrigin = /^fastify(\.fastify)?$/;

/** Inserts `addGantry(server)` after the one statement that creates the server. */
export function wireHttp(script: Script, form: ModuleForm): Wiring {
  const { text, nodes, program } = script;
  const [call, ...others] = callsOf(script, serverOrigin);
  const server = call && others.length === 0 ? statementOf(script, call) : undefined;
  const handler = call?.arguments.at(-1);
  const isLate = nodes.some((node) => node.type === 'StringLiteral' && node.value === 'request');
  const name = 'addGantry' as const;
  const use = { name, line: (add: string) => `${add}(${server?.name ?? 'server'});` };
  const isSure = server && handler && handler.type !== 'ObjectExpression' && !isLate;
  const after = isSure ? insertLine(script, form, server.statement, use) : undefined;
  if (after !== undefined) return { after };
  const [fastify] = call ? [] : callsOf(script, fastifyOrigin);
  if (fastify) {
    const line = (add: string) => `serverFactory: (handler) => ${add}(createServer(handler)),`;
    const where = 'as an option of Fastify(…), with createServer of node:http';
    return { after: text, paste: pasteLines(script, form, fastify, { name, line }, where) };
  }
  const where = 'when the server has its handler; addGantry(createServer(handler)).listen(…) is the same';
  return { after: text, paste: pasteLines(script, form, call ?? program, use, where) };
}
