// Imported first by packages for Node: the modules after it fail on older releases with errors that
// name no cure. Without other imports, so that nothing runs before it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `Gantry needs Node 22.18 or newer and this is ${process.versions.node}: install it from https://nodejs.org, or with nvm install 22.\n`,
  );
  process.exit(1);
}
