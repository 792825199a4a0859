import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { generatedFiles } from '../../scripts/configuration/files.ts'
import { settingsSchema } from '../../scripts/configuration/json-schema.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { defaults } from '../../src/configuration/settings.ts'
import { leavesOf } from './leaves.ts'

const root = join(import.meta.dirname, '../..')
const leaves = leavesOf(settingsSchema())

test.each(generatedFiles())('$path follows from the schema of the configuration', (file) => {
  const committed = readFileSync(join(root, file.path), 'utf8')
  expect(committed === file.text, `${file.path} is stale: run \`npm run generate\``).toBe(true)
})

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

test('the defaults that the documentation names are those that apply', () => {
  const { keys, accounts } = resolveSettings(
    {
      keys: [{ id: 'a', secret: 'a' }],
      accounts: [{ id: 'a', provider: 'openai', models: ['*'] }],
    },
    { env: {} },
  )
  const applied = { ...defaults, 'keys[]': keys[0], 'accounts[]': accounts[0] }
  const valueAt = (path: string) =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], applied)
  const named = leaves
    .filter(({ setting }) => setting.default !== undefined)
    // Absent in the settings, and read as false and as none.
    .filter(({ path }) => !/^keys\[\]\.explain$|^uploads\.storages/.test(path))
  expect(named.length).toBeGreaterThan(40)
  expect(named.map(({ path }) => [path, valueAt(path)])).toEqual(
    named.map(({ path, setting }) => [path, setting.default]),
  )
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
