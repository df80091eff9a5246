// Apart from the rest: its types need Vite's, which a project may not have.
export { loadVite, type ViteModule } from './load-vite.ts';
export { needsVite } from './needs-vite.ts';
