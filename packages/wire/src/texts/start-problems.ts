/** Texts on why an app did not start, for container and tools. `{address}` is that of the app. */
export const startProblems = {
  'frame-refused': {
    what: "The page's Content-Security-Policy has no frame-src for {address}, so the browser loads no app.",
    cure: 'Add it there.',
  },
  'no-sdk': {
    what: 'The page of the app loaded and said no hello in time: the SDK is missing, or something before it is slow or failed (see the console).',
    cure: 'Load /gantry/osapi.js with a plain script tag before anything else of the app.',
    cureOfRemote:
      "Copy node_modules/@gantry/osapi/dist/osapi.js beside the page (the app's own server has no /gantry/osapi.js), and load it before anything else of the app.",
  },
  'page-unreachable': {
    what: 'Nothing loaded from {address} in time.',
    cure: 'See whether its server runs and answers within 10 seconds.',
  },
} as const;
