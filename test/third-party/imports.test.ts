import { globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

import { expect, test } from 'vitest'

const here = import.meta.dirname
const source = resolve(here, '../../src')

/** `dragoman`, `dragoman/admin`, `dragoman/dialect` and `dragoman/testing`. */
const entries = ['admin/index.ts', 'dialect-kit/index.ts', 'index.ts', 'testing/index.ts']

test('these plugins know of the gateway only what it exports', () => {
  const files = globSync('**/*.ts', { cwd: here })
  const found = files.flatMap((file) => {
    const text = readFileSync(join(here, file), 'utf8')
    return Array.from(text.matchAll(/ from '(\.[^']+)'/g), ([, path]) => {
      return { file, target: resolve(here, file, '..', path!) }
    })
  })
  const outside = found.filter(({ target }) => relative(here, target).startsWith('..'))
  expect(new Set(outside.map(({ target }) => relative(source, target)))).toEqual(new Set(entries))
})
