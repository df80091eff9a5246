export default {
  globs: ['src/gantry-gadget.ts'],
  litelement: true,
  packagejson: false, // it says so already
};
