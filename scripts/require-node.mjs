// Runs on any Node, before modules that an old Node cannot parse.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Dragoman requires Node 24 or later; this is ${process.version}.\n` +
      'In a checkout, the npm package "node" installs it; its install script must be allowed:\n' +
      'run `npm ci` without --ignore-scripts, or put a current Node first in PATH.',
  )
  process.exit(1)
}
