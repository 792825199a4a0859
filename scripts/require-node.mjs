// Runs on any Node, before modules that an old Node cannot parse.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 9)) {
  console.error(
    `Dragoman requires Node 24.9 or later; this is ${process.version}.\n` +
      'In a checkout, the npm package "node" installs it; its install script must be allowed:\n' +
      'run `npm ci` without --ignore-scripts, or put a current Node first in PATH.',
  )
  process.exit(1)
}
