// Runs on any Node, before anything that an old one cannot even parse.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    `Dragoman needs Node 24 or later, and this is ${process.version}.\n` +
      'A checkout brings its own with the npm package "node", whose install script must be allowed:\n' +
      'run `npm ci` without --ignore-scripts, or put a current Node first in PATH.',
  )
  process.exit(1)
}
