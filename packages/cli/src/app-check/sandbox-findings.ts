import { explainParams, type ProblemId, problem } from '@gantry/lab/record';
import { type Finding, placesIn } from './finding.ts';
import type { Source } from './sources.ts';

/** A feature that app documents are refused (`packages/proxy/src/apps/document-headers.ts`). */
interface Rule<Id = ProblemId> {
  readonly id: Id;
  /** Matches uses. */
  readonly code: RegExp;
}

const rules = [
  { id: 'form-submit', code: /^<form (?:action|method)="(?!dialog"|µ)|^(?!~(?:this|props)\.).*\.submit\(\)$/ },
  { id: 'silent-window', code: /^open\(|^<(?:a|area|form|base) target="(?!_self")[\w-]/ },
  { id: 'silent-dialog', code: /^(?:alert|confirm|prompt|print)\(/ },
  {
    id: 'fetch-elsewhere',
    code: /^fetch\(|^new (?:XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection)\(|\bsendBeacon\(/,
  },
  { id: 'starts-worker', code: /^new (?:Shared)?Worker\(|^navigator\.serviceWorker\.register\(/ },
  {
    id: 'eval',
    code: /^(?:eval|(?:new )?Function)\((?!"return this"\))|^set(?:Timeout|Interval)\("|^WebAssembly\.(?:compile|instantiate)(?:Streaming)?\(|^new WebAssembly\.Module\(/,
  },
  { id: 'frame-inside', code: /^<(?:iframe|object|embed|frame)>/ },
  { id: 'base-element', code: /^<base href=/ },
  { id: 'downloads', code: /^<a download=/ },
  {
    id: 'uses-device',
    code: /^navigator\.(?:geolocation|mediaDevices|clipboard|bluetooth|usb|hid|serial|credentials|wakeLock|requestMIDIAccess)$/,
  },
  { id: 'full-screen', code: /\.(?:webkitR|r)equestFullscreen\(/ },
  { id: 'web-share', code: /^navigator\.share\(/ },
  { id: 'notifications', code: /^new Notification\(|^Notification\.requestPermission\(/ },
  { id: 'payments', code: /^new PaymentRequest\(/ },
  {
    id: 'data-address',
    code: /^data:(?:font|audio|video|(?:text|application)\/javascript|application\/(?:x-)?font|application\/vnd\.ms-font)/i,
  },
  { id: 'resize-loop', code: /^100(?:[dsl]?vh|v(?:b|max))$/ },
] as const satisfies readonly Rule[];

/** Uses that are found at their last name, and others at their start. */
const isFoundAtName = /^navigator\.|\.(?:submit|sendBeacon|\w+Fullscreen)\(| (?:target|download)=/;

/** Returns the features of a file that the sandbox refuses, in the order of its text. */
export function sandboxFindings({ path, text, uses }: Source): readonly Finding[] {
  const refused = uses
    .flatMap(({ code, at, nameAt }) =>
      rules
        .filter((rule) => rule.code.test(code))
        .map(({ id }) => ({ id, code, at: isFoundAtName.test(code) ? nameAt : at })),
    )
    .sort((a, b) => a.at - b.at);
  const placeOf = placesIn(text);
  return refused.map(({ id, code, at }) => ({
    ...problem(id, { name: code.replace(/\(.*/s, ''), kind: kindOf(code), scheme: 'data' }),
    ...{ level: 'warning', file: path, ...placeOf(at) },
  }));
}

function kindOf(code: string): string {
  if (/javascript/i.test(code)) return 'A script';
  return /^data:(?:audio|video)/i.test(code) ? 'A video or sound' : 'A font';
}

/** Returns parameters of calls that have no such. */
export function parameterFindings({ path, text, uses }: Source): readonly Finding[] {
  const placeOf = placesIn(text);
  return uses.flatMap(({ code, at }): Finding[] => {
    const [, service, method = '', name] = /(\w+)\.(\w+)\(\{(.+)\}\)$/.exec(code) ?? [];
    if (name === undefined) return [];
    const call = `${service}.${method.startsWith('get') ? 'get' : method.replace('create', service === 'appdata' ? 'update' : '$&')}`;
    const { subject: _, ...texts } = explainParams(call.replace('mediaitems', 'mediaItems'), [name]) ?? {};
    return 'id' in texts ? [{ ...texts, level: 'warning', file: path, ...placeOf(at) }] : [];
  });
}
