import { defineConfig } from 'vite';
import { gadgetManifest } from './gadget-manifest.ts';

export default defineConfig({
  base: './', // a site serves the gadget from a folder of its own
  build: {
    modulePreload: { polyfill: false }, // it would call fetch, which the sandbox refuses
    // Only pictures may be `data:` addresses; the sandbox loads fonts and sounds from files.
    assetsInlineLimit: (file) => (/\.(png|jpe?g|gif|webp|avif|svg)$/i.test(file) ? undefined : false),
  },
  plugins: [gadgetManifest()],
});
