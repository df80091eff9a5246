import { type ProblemId, problem } from '@gantry/lab/record';
import { type Finding, placesIn } from './finding.ts';
import { partsOf, type SourceParts } from './source-parts.ts';
import type { Source } from './sources.ts';

/**
 * A feature that app documents are refused (`packages/proxy/src/apps/document-headers.ts`), and its
 * patterns in the parts of a file; their first group is the place.
 */
interface Rule<Id = ProblemId> extends Readonly<Partial<Record<keyof SourceParts, RegExp>>> {
  readonly id: Id;
}

const rules = [
  { id: 'form-submit', markup: /<(form\b[^<>]*?\s(?:action|method))\s*=/gi },
  { id: 'form-submit', script: /[\w)\]]\s*\.\s*(submit\s*\(\s*\))/g },
  {
    id: 'silent-window',
    script: /\b(window\s*\.\s*open)\s*\(/g,
    markup: /<(?:a|area|form|base)\b[^<>]*?\s(target\s*=\s*["']?(?!_self\b)[\w-]+)/gi,
  },
  {
    id: 'silent-dialog',
    script: /(?<![\w$.]|function\s)((?:(?:window|globalThis|self)\s*\.\s*)?(?:alert|confirm|prompt|print))\s*\(/g,
  },
  { id: 'fetch-elsewhere', script: /(?<![\w$.])((?:(?:window|globalThis|self)\s*\.\s*)?fetch)\s*\(/g },
  {
    id: 'fetch-elsewhere',
    script: /\b(new\s+(?:XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection)|sendBeacon)\b/g,
  },
  { id: 'starts-worker', script: /\b(new\s+(?:Shared)?Worker|serviceWorker\s*\.\s*register)\b/g },
  { id: 'eval', script: /(?<![\w$.])(eval\s*\(|new\s+Function\b)/g },
  {
    id: 'eval',
    script: /\b(WebAssembly\s*\.\s*(?:compile|instantiate)(?:Streaming)?|new\s+WebAssembly\s*\.\s*Module)\b/g,
  },
  { id: 'frame-inside', markup: /<(iframe|object|embed|frame)\b/gi },
  { id: 'base-element', markup: /<(base\b[^<>]*?\shref)\s*=/gi },
  { id: 'downloads', markup: /<a\b[^<>]*?\s(download)(?=[\s=>])/gi },
  {
    id: 'uses-device',
    script:
      /\bnavigator\s*\.\s*(geolocation|mediaDevices|clipboard|bluetooth|usb|hid|serial|credentials|wakeLock|requestMIDIAccess)\b/g,
  },
  { id: 'resize-loop', style: /\b(100(?:[dsl]?vh|v(?:b|max)))\b/gi },
] as const satisfies readonly Rule[];

const partNames = ['script', 'markup', 'style'] as const;

/** Returns the features of a file that the sandbox refuses, in the order of its text. */
export function sandboxFindings(source: Source): readonly Finding[] {
  const parts = partsOf(source);
  const placeOf = placesIn(source.text);
  return rules
    .flatMap((rule: Rule<(typeof rules)[number]['id']>) =>
      partNames
        .flatMap((part) => (rule[part] ? [...parts[part].matchAll(rule[part])] : []))
        .map(({ 0: whole, 1: name = '', index }) => ({ id: rule.id, name, at: index + whole.indexOf(name) })),
    )
    .sort((a, b) => a.at - b.at)
    .map(({ id, name, at }) => ({
      ...problem(id, { name: name.replace(/^.*[.\s]/s, '') }),
      ...{ level: 'warning', file: source.path, ...placeOf(at) },
    }));
}
