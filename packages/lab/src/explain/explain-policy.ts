import type { LabEvent } from '../record/entry.ts';
import type { Explanation, Known } from './explanation.ts';
import { manifestLine } from './manifest-line.ts';

const loads: Readonly<Record<string, string>> = {
  'img-src': 'A picture',
  'style-src': 'A style sheet',
  'script-src': 'A script',
  'font-src': 'A font',
  'media-src': 'A video or sound',
  'manifest-src': 'A file',
  'default-src': 'A file',
};

/** Explains a violation of the frame's policy. */
export function explainPolicy(
  { directive, blocked, where }: Extract<LabEvent, { kind: 'policy' }>,
  { manifest }: Known,
): Explanation | undefined {
  const name = directive.replace(/-(elem|attr)$/, '');
  const place = where && { where };
  if (blocked === 'eval' || blocked === 'wasm-eval' || blocked === 'trusted-types-policy') {
    return { ...evaluates(), ...place };
  }
  if (name === 'connect-src') return { ...connects(blocked), ...place };
  if (name === 'form-action') {
    return {
      ...{ id: 'form-submit', subject: blocked, ...place },
      what: `A form of the app was not sent to ${blocked || 'its page'}: nothing leaves the frame but calls.`,
      cure: "Listen to the form's `submit`, call `event.preventDefault()`, and do with the fields what it is for.",
      example: "form.addEventListener('submit', (event) => { event.preventDefault(); … })",
    };
  }
  if (['frame-src', 'child-src', 'worker-src', 'object-src', 'fenced-frame-src'].includes(name)) {
    return {
      ...{ id: 'frame-inside', subject: `${name} ${blocked}`, ...place },
      what: `A frame, worker or plug-in (${blocked}) was refused: a gadget is one document.`,
      cure: 'Do its work in the page itself, in small parts, or open a page elsewhere with `gantry.ui.openLink`.',
      example: "gantry.ui.openLink('https://…')",
    };
  }
  if (name === 'base-uri') {
    return {
      ...{ id: 'base-element', ...place },
      what: 'The base element of the page was ignored: it could lead all of its addresses elsewhere.',
      cure: 'Leave it out, and name files relative to the page.',
    };
  }
  const what = loads[name];
  return what === undefined ? undefined : { ...loadsFrom(what, { blocked, manifest }), ...place };
}

export function evaluates(): Explanation {
  return {
    id: 'eval',
    what: 'The app makes code out of text (eval, new Function or a timer with a text): the frame refuses it.',
    cure: 'Call functions instead; where a library does it, take its build without (for Vue the one with compiled templates).',
  };
}

/** @param address Requested address, if known. */
export function connects(address?: string): Explanation {
  return {
    id: 'fetch-elsewhere',
    ...(address && { subject: address }),
    what: `The app asked for ${address || 'an address'} with fetch, XMLHttpRequest or a socket: a gadget has no network of its own (connect-src 'none').`,
    cure: "Ask the site with `osapi`, and put data of the app's own into a module of its folder.",
    example: "import { cities } from './cities.js'",
  };
}

function loadsFrom(
  what: string,
  { blocked, manifest }: { readonly blocked: string } & Pick<Known, 'manifest'>,
): Explanation {
  if (!/^https?:/.test(blocked)) {
    const scheme = /^[a-z-]+/i.exec(blocked)?.[0] ?? blocked;
    return {
      ...{ id: 'data-address', subject: `${what} ${scheme}` },
      what: `${what} with a ${scheme}: address was refused: pictures may have one, other files not.`,
      cure: "Save it as a file in the app's folder, and name that.",
    };
  }
  const { origin, protocol, host } = new URL(URL.canParse(blocked) ? blocked : 'https://unknown.example');
  if (protocol === 'http:') {
    return {
      ...{ id: 'insecure-address', subject: origin },
      what: `${what} of ${origin} was refused: the frame loads over https only.`,
      cure: 'Write https: in its address, and list the origin in `hosts` of gadget.json; or save the file in the folder.',
      example: manifestLine(manifest, 'hosts', [`https://${host}`]),
    };
  }
  return {
    ...{ id: 'host-not-listed', subject: origin },
    what: `${what} of ${origin} was refused: gadget.json does not list this origin.`,
    cure: 'Add it to `hosts` in gadget.json, which members are asked about, or save the file in the folder.',
    example: manifestLine(manifest, 'hosts', [origin]),
  };
}
