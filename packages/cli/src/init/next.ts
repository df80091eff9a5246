/** Writes the server around Next.js: Gantry's paths first, since Next rewrites the raw targets that signatures cover. */
export function nextServer(port: number): string {
  return `// Made by gantry init: Next.js with Gantry in front. The file is yours; change what you like.
import { createServer } from 'node:http';
import next from 'next';
import { withGantry } from './gantry.mjs';

const port = Number(process.env.PORT ?? ${port});
const site = next({ dev: process.argv.includes('--dev'), port });
await site.prepare();
createServer(withGantry(site.getRequestHandler())).listen(port, () => {
  console.log(\`Ready at http://localhost:\${port}\`);
});
`;
}

/** The scripts that start it. */
export const nextScripts = { dev: 'node server.mjs --dev', start: 'node server.mjs' } as const;
