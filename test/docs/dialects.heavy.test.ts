import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, test } from 'vitest'

import { openCheckout, withoutAdmin } from './checkout.ts'
import { openPage, repository } from './pages.ts'

const page = openPage('docs/dialects.md')
const dialect = page.block('ts', 'class ParrotObserver')

test('the dialect of the page is about sixty lines long', () => {
  const [, code = ''] = dialect.split("from 'dragoman/dialect'")
  const lines = code.split('\n').filter((line) => line.trim() !== '')
  expect(lines.length).toBeGreaterThan(30)
  expect(lines.length).toBeLessThan(66)
})

/** The files behind the imports of the page, as the installed package resolves them. */
const entries = {
  'dragoman/dialect': 'src/dialect-kit/index.ts',
  'dragoman/testing': 'src/testing/index.ts',
}

function installed(code: string): string {
  return Object.entries(entries).reduce(
    (text, [name, file]) =>
      text.replaceAll(`from '${name}'`, `from '${pathToFileURL(join(repository, file)).href}'`),
    code,
  )
}

test('the dialect of the page passes the contract suite, as the page runs it', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const suite = page.block('ts', 'dialectContract')
  await checkout.write('parrot.ts', installed(dialect))
  await checkout.write('parrot.test.ts', installed(suite))
  const [command = ''] = page.commands('node --test')

  const report = await checkout.run(command)

  expect(Number(/\bpass (\d+)/.exec(report)?.[1])).toBeGreaterThan(10)
  expect(report).toMatch(/\bfail 0\b/)
})
