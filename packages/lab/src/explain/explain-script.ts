import { callAliases, callRows, isWorking } from '@gantry/wire';
import { closest } from '@gantry/wire/runtime';
import type { LabEvent } from '../record/entry.ts';
import { explainReply } from './explain-reply.ts';
import type { Explanation, Known } from './explanation.ts';
import { problem } from './problems.ts';

/** Names of the calls that apps can write, `people.getViewer` and the other short forms too. */
export const appCalls: readonly string[] = [
  ...Array.from(callRows.keys()).filter((call) => callRows.get(call)?.some(isWorking)),
  ...['people.getViewer', 'people.getOwner', 'people.getViewerFriends', 'people.getOwnerFriends'],
  ...callAliases.keys(),
];

const keeps =
  /\b(localStorage|sessionStorage|cookie|IDBFactory|indexedDB|Indexed Database|caches|CacheStorage|serviceWorker)\b/;
const refused = /SecurityError|sandboxed|denied in this context|The operation is insecure|break through the security/i;

const ofModules =
  /^SyntaxError: .*(?:outside a module|declarations may only|import\.meta|import call expects|'export')/;

/** Explains an error that the app did not catch. */
export function explainError({ message, where, rejection }: Extract<LabEvent, { kind: 'script-error' }>): Explanation {
  const text = message.replace(/^Uncaught (\(in promise\) )?/, '');
  const place = where && { where };
  const api = keeps.exec(text)?.[1];
  if (refused.test(text) && (api || /\bstorage\b/i.test(text))) return { ...keepsData(api, where?.text), ...place };
  if (/^EvalError|unsafe-eval/.test(text)) return { ...problem('eval'), ...place };
  if (
    /Failed to fetch|NetworkError when attempting|^TypeError: Load failed|Failed to construct 'WebSocket'/.test(text)
  ) {
    return { ...problem('fetch-elsewhere', {}), ...place };
  }
  const global =
    /\b(osapi|gadgets|gantry) is not defined\b/.exec(text)?.[1] ?? /variable: (osapi|gadgets|gantry)$/.exec(text)?.[1];
  if (global) return { ...problem('no-sdk', { global }), subject: global, ...place };
  if (ofModules.test(text)) {
    const script = where?.file ?? 'A script';
    return { ...problem('not-a-module', { script, message: text }), subject: script, ...place };
  }
  const called = /\b((?:osapi|gadgets|gantry)(?:\.\w+){1,3}) is not a function/.exec(text)?.[1];
  const unknown = called ?? callInLine(text, where?.text);
  if (unknown) return { ...doesNotExist(unknown), ...place };
  const at = where ? ` in ${where.file}, line ${where.line}` : '';
  const facts = { at, message: text, isRejection: rejection, line: where?.text?.trim() };
  return { ...problem('throws', facts), subject: text, ...place };
}

/** Explains the console text of the SDK for a subscription that failed without a handler. */
export function explainConsole(
  { level, text, where }: Extract<LabEvent, { kind: 'console' }>,
  known: Known,
): Explanation | undefined {
  const [, operation = '', message = ''] = /^([a-z]+\.[a-z]+): (.*)$/is.exec(text) ?? [];
  if (level !== 'error' || !appCalls.includes(operation)) return undefined;
  const missing = /has not allowed (.*)\.$/.exec(message)?.[1]?.split(', ');
  const isRefusal = missing !== undefined || /is not granted/.test(message);
  const why = isRefusal
    ? explainReply(
        { code: 403, message, data: { reason: 'NOT_GRANTED', ...(missing && { missing }) } },
        { ...known, call: { operation } },
      )
    : undefined;
  const facts = { call: operation, message, why };
  return { ...problem('refused-unhandled', facts), subject: operation, ...(where && { where }) };
}

function keepsData(api: string | undefined, line = ''): Explanation {
  const name =
    /localStorage|sessionStorage|indexedDB|cookie/.exec(line)?.[0] ?? api?.replace('IDBFactory', 'indexedDB');
  return { ...problem('browser-storage', { name: name ?? 'storage' }), ...(name && { subject: name }) };
}

function doesNotExist(name: string): Explanation {
  const isCall = name.startsWith('osapi.');
  const meant = isCall ? callMeant(name.slice('osapi.'.length)) : undefined;
  return {
    ...problem('unknown-call', { name, meant, calls: isCall ? appCalls.join(', ') : undefined }),
    subject: name,
  };
}

/** Returns the call that has all words of the wrong name, or else the most similar one. */
function callMeant(name: string): string | undefined {
  const [service = '', method = ''] = name.split('.');
  const words = method.split(/(?=[A-Z])/);
  const fuller = appCalls.find(
    (call) => call.startsWith(`${service}.`) && words.length > 1 && words.every((word) => call.includes(word)),
  );
  return fuller ?? closest(name, appCalls);
}

/** Finds a call of a missing service: the error names the method, and the line has the rest. */
function callInLine(text: string, line: string | undefined): string | undefined {
  const method = /^TypeError: Cannot read properties of undefined \(reading '(\w+)'\)/.exec(text)?.[1];
  if (method === undefined || line === undefined) return undefined;
  const match = /\b(osapi)\.(\w+)\.(\w+)/.exec(line);
  if (match?.[3] !== method) return undefined;
  return appCalls.includes(`${match[2]}.${method}`) ? undefined : match[0];
}
