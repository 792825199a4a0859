import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { generatedFiles } from '../../scripts/configuration/files.ts'
import { consoleFiles } from '../../scripts/console/files.ts'
import { pricesFile } from '../../scripts/prices/published-prices.ts'
import { settingsSchema } from '../../scripts/configuration/json-schema.ts'
import type { Config } from '../../src/configuration/config.generated.ts'
import { configSchema } from '../../src/configuration/schema.ts'
import { leavesOf } from './leaves.ts'

const root = join(import.meta.dirname, '../..')
const leaves = leavesOf(settingsSchema())

test.each([...generatedFiles(), pricesFile(), ...(await consoleFiles())])(
  '$path is up to date',
  (file) => {
    const committed = readFileSync(join(root, file.path), 'utf8')
    expect(committed === file.text, `${file.path} is stale: run \`npm run generate\``).toBe(true)
  },
)

describe('each setting', () => {
  test('has a description of whole sentences on one line', () => {
    const unfit = leaves.filter(({ setting }) => !/^[^\n]{10,}\.$/.test(setting.description ?? ''))
    expect(unfit.map(({ path }) => path)).toEqual([])
    expect(leaves.length).toBeGreaterThan(70)
  })

  test('has a default, in words where it depends on something, or is required', () => {
    const silent = leaves.filter(
      ({ setting, isRequired }) =>
        !isRequired && setting.default === undefined && setting.defaultText === undefined,
    )
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  test('of a size or a time has its unit', () => {
    const units = { Bytes: 'bytes', Ms: 'milliseconds', Days: 'days' }
    const expected = leaves.flatMap(({ path }) => {
      const unit = Object.entries(units).find(([ending]) => path.endsWith(ending))?.[1]
      return unit ? [`${path}: ${unit}`] : []
    })
    const given = leaves.filter(({ setting }) => setting.unit)
    expect(given.map(({ path, setting }) => `${path}: ${setting.unit}`)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(15)
  })
})

test('the types of the file take what the schema takes', () => {
  const typed = (input: Omit<z.input<typeof configSchema>, 'plugins'>): Config => input
  expect(configSchema.safeParse(typed({})).success).toBe(true)
})

test('each setting whose name is that of a secret is marked as one', () => {
  const named = leaves.filter(({ path }) =>
    /secret|hash|apikey|passphrase|password|\.key$|\.ca$|sessiontoken|accesskeyid/i.test(path),
  )
  expect(named.length).toBeGreaterThan(9)
  expect(named.filter(({ setting }) => !setting.secret).map(({ path }) => path)).toEqual([])
})

test('every link within the page leads to a heading', () => {
  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8')
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z -]/g, '')
      .replaceAll(' ', '-'),
  )
  const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor = '']) => anchor)
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
})
