import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('docs/traces.md has each name that spans of the gateway have', async () => {
  const page = await readFile(join(root, 'docs/traces.md'), 'utf8')
  const names = new Set<string>()
  for await (const path of glob('src/telemetry/traces/**/*.ts', { cwd: root })) {
    const text = await readFile(join(root, path), 'utf8')
    for (const [, name] of text.matchAll(/'(dragoman\.[a-z_.]+)'/g)) names.add(name!)
  }
  expect(names.size).toBeGreaterThan(30)
  expect([...names].filter((name) => !page.includes(`\`${name}\``)).sort()).toEqual([])
})
