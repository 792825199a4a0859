#!/usr/bin/env node
// An old Node cannot parse the other modules, so they are imported after this check.
const oldest = 24

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `dragoman: Dragoman requires Node ${oldest} or later; this is Node ${process.versions.node}.\n` +
      'In a checkout, `npm ci` installs a suitable Node, which `npm start` uses.\n',
  )
  process.exitCode = 1
} else {
  if (import.meta.filename.endsWith('.ts')) await cacheStrippedTypes()
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
}

// In a checkout, stripping the types would take most of a second at each start. The cache contains
// code that Node executes, so it is not in the shared temporary directory, Node's default.
async function cacheStrippedTypes(): Promise<void> {
  const { enableCompileCache } = await import('node:module')
  const { join } = await import('node:path')
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/dragoman'))
}
