import { expect, test } from 'vitest'

import { resolveSettings } from '../../src/configuration/resolve.ts'
import { openPage } from './pages.ts'

const defaults = resolveSettings({}, { env: {} })

const { text } = openPage('docs/configuration.md')

/** The default of a setting in the tables of settings. */
function defaultOf(setting: string): string | undefined {
  const [, cell] = new RegExp(`^\\| \`${setting}\` \\|[^|]*\\| ([^|]*) \\|`, 'm').exec(text) ?? []
  return /^`([^`]*)`/.exec(cell ?? '')?.[1]
}

/** Depends on the machine, so that the page has words. */
const inWords = 'limits.memoryBytes'

const settings = (['timeouts', 'limits'] as const)
  .flatMap((group) =>
    Object.entries(defaults[group]).map(([name, value]) => [`${group}.${name}`, value] as const),
  )
  .filter(([name]) => name !== inWords)

test.each(settings)('the page gives %s its default, %i', (setting, value) => {
  expect(defaultOf(setting)).toBe(String(value))
})
