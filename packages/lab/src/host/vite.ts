// Separate entry: its types need those of Vite, an optional dependency.
export { loadVite, type ViteModule } from './load-vite.ts';
export { needsVite } from './needs-vite.ts';
