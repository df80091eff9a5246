/** Returns the server around Next.js, behind Gantry: Next rewrites signed targets. */
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

/** Scripts that start it. */
export const nextScripts = { dev: 'node server.mjs --dev', start: 'node server.mjs' } as const;
