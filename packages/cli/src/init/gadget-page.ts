import { mark } from './generated-file.ts';

/** Markup for a page's end: renews the cookie of the sign-in while the page is open. */
export const refreshScript = '    <script>setInterval(() => fetch(location.href), 240000)</script>\n';

/** Returns a page with the starter gadgets, and `more` markup at its end. */
export function gadgetPage(more = ''): string {
  return `<!doctype html>
<!-- ${mark}. The page is yours; change what you like. -->
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Gadgets</title>
    <style>
      :root {
        color-scheme: light dark;
      }
      body {
        max-inline-size: 40rem;
        margin: 0 auto;
        padding: 1rem;
        font: 1rem / 1.5 system-ui, sans-serif;
      }
      gantry-gadget {
        margin-block-end: 1rem;
      }
      /* Nothing moves when the script comes. */
      gantry-gadget:not(:defined) {
        display: block;
        min-block-size: calc(200px + 2.25rem);
      }
    </style>
    <script type="module" src="/gantry/container.js"></script>
  </head>
  <body>
    <h1>Gadgets</h1>
    <gantry-gadget app="friends" heading></gantry-gadget>
    <gantry-gadget app="notes" heading></gantry-gadget>
${more}  </body>
</html>
`;
}
