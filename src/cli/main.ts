#!/usr/bin/env node
// An old Node cannot parse the other modules, so they are imported after this check.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 24 || (major === 24 && minor < 9)) {
  process.stderr.write(
    `dragoman: Dragoman requires Node 24.9 or later; this is Node ${process.versions.node}.\n` +
      'Put a current Node first in PATH. In a checkout, `npm ci` installs a suitable Node, which `npm start` uses.\n',
  )
  process.exitCode = 1
} else {
  if (import.meta.filename.endsWith('.ts')) await cacheStrippedTypes()
  const { tuneEngine } = await import('./engine.ts')
  tuneEngine()
  const { run } = await import('./run.ts')
  const code = await run(process.argv.slice(2))
  await Promise.all([process.stdout, process.stderr].map(flushed))
  // A timer or an open handle of a configuration or a plugin would keep the process alive.
  process.exit(code)
}

/** Resolves when a stream has passed on all that was written to it, or has failed. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

// In a checkout, stripping the types would take most of a second at each start. The cache contains
// code that Node executes, so it is not in the shared temporary directory, Node's default.
async function cacheStrippedTypes(): Promise<void> {
  const { enableCompileCache } = await import('node:module')
  const { join } = await import('node:path')
  const directory = join(import.meta.dirname, '../../node_modules/.cache/dragoman')
  enableCompileCache(directory)
  // Threads and worker processes read it when they start.
  process.env['NODE_COMPILE_CACHE'] ??= directory
}
