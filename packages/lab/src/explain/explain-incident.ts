import { isRecord } from '@gantry/wire';
import { explainError, sdkTag } from './explain-script.ts';
import type { Explanation } from './explanation.ts';

const flood = {
  id: 'flood',
  cure: 'Ask once and keep the result, use `subscribe` for what changes, and leave `postMessage` to the SDK.',
} as const;

const leaving = {
  id: 'left-page',
  cure: 'Open addresses with `gantry.ui.openLink`, and show other views of the app with `gantry.views.navigate`.',
  example: "gantry.views.navigate('canvas')",
} as const;

const incidents: Readonly<Record<string, Explanation>> = {
  version: {
    id: 'version-mismatch',
    what: 'The SDK that the app ships and this page have no version of the protocol in common.',
    cure: 'Load the SDK of the site, which always fits, or update @gantry/osapi and build the app again.',
    example: sdkTag,
  },
  blocked: {
    id: 'page-unreachable',
    what: "The policy of the page around the app refuses its frame: frame-src does not list the app's address.",
    cure: "Add the origin that serves apps to frame-src of that page's Content-Security-Policy.",
  },
  'resize-loop': {
    id: 'resize-loop',
    what: "The app's height depends on the height of its own frame, so it would grow for ever: the page holds one height.",
    cure: 'Leave out heights such as 100vh or 100% of the frame, and let the content decide.',
    example: 'html, body { height: auto; margin: 0 }',
  },
  left: {
    ...leaving,
    what: "The app's document went to another address, so the page loads it anew.",
  },
  reloads: { ...leaving, what: "The app's document went to another address at each of four loads, so it was stopped." },
  unresponsive: {
    id: 'busy',
    what: 'The app does not answer: a script of it runs without a pause.',
    cure: 'Look for a loop that does not end, and do long work in parts.',
  },
  flood: { ...flood, what: 'The app sent more messages than a page takes, and was cut off.' },
  malformed: { ...flood, what: 'The app sent messages that are no calls, and was cut off.' },
};

/** Explains an incident that a page reports to its site. */
export function explainIncident(name: string, detail?: unknown): Explanation | undefined {
  if (name === 'silent') return explainSilence(detail);
  return Object.hasOwn(incidents, name) ? incidents[name] : undefined;
}

/** Explains an error that only the page received, in the words of the SDK. */
export function explainReported(detail: unknown): Explanation | undefined {
  const message = isRecord(detail) ? detail.message : undefined;
  return typeof message === 'string' && message !== '' ? explainError({ kind: 'script-error', message }) : undefined;
}

function explainSilence(detail: unknown): Explanation {
  if (isRecord(detail) && detail.loaded === false) {
    return {
      id: 'page-unreachable',
      what: "Nothing loaded from the app's address in time.",
      cure: 'See whether its server runs and answers within 10 seconds.',
    };
  }
  return {
    id: 'no-sdk',
    what: "The app's page loaded and said nothing to the page around it: the SDK is missing, or something before it fails or takes long.",
    cure: 'Load the SDK with a plain script tag before anything else of the app.',
    example: sdkTag,
  };
}
