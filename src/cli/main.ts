#!/usr/bin/env node
// An old Node must get as far as this message, so all else is imported after it.
const oldest = 24

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `dragoman: this is Node ${process.versions.node}, but Dragoman needs Node ${oldest} or later.\n` +
      'In a checkout, `npm ci` brings its own: start with `npm start` afterwards.\n',
  )
  process.exitCode = 1
} else {
  if (import.meta.filename.endsWith('.ts')) await rememberStrippedTypes()
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2))
}

// A checkout would spend most of a second at each start on taking the types off. Not in the shared
// temporary directory, Node's default: what is kept there is run.
async function rememberStrippedTypes(): Promise<void> {
  const { enableCompileCache } = await import('node:module')
  const { join } = await import('node:path')
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/dragoman'))
}
