import { expect, test } from 'vitest'

import { placeWith, installZod, stamp } from './plugin-modules.ts'
import type { Place } from './dragoman.ts'

async function placeWithOptions(options: unknown): Promise<Place> {
  const place = await placeWith([{ use: './stamp.ts', options }], { 'stamp.ts': stamp })
  await installZod(place)
  return place
}

async function problemsFor(options: unknown, env?: Record<string, string>): Promise<string[]> {
  await using place = await placeWithOptions(options)
  const { code, stderr } = await place.call('check', env)
  expect(code).toBe(3)
  const found = stderr.matchAll(/^ {2}(\S.*)\n {4}(.*)\n {4}fix: (.*)$/gm)
  return Array.from(found, ([, path, message, fix]) => `${path}: ${message} / ${fix}`)
}

test('options that the schema refuses are problems with their paths and fixes', async () => {
  expect(await problemsFor({ text: 'x', times: 'often', mode: 'quiet', txet: 1 })).toEqual([
    expect.stringMatching(/^plugins\[0\]\.options\.text: .*>=2 characters \/ write text: /),
    expect.stringMatching(
      /^plugins\[0\]\.options\.times: .* \/ write times: a value of type integer \(how often the stamp is set\) for example 1$/,
    ),
    expect.stringMatching(
      /^plugins\[0\]\.options\.mode: .* \/ write mode: one of \["loud","soft"\]/,
    ),
    'plugins[0].options.txet: unknown option "txet" / did you mean "text"?',
  ])
})

test('options that are missing are problems', async () => {
  expect(await problemsFor(undefined)).toEqual([
    expect.stringMatching(/^plugins\[0\]\.options\.text: is missing \/ write text: /),
  ])
})

test('a variable that an option names has to be there, and no problem repeats its value', async () => {
  expect(await problemsFor({ text: 'ok', token: 'env:STAMP_TOKEN' })).toEqual([
    expect.stringMatching(
      /^plugins\[0\]\.options\.token: .*STAMP_TOKEN is not set \/ set STAMP_TOKEN/,
    ),
  ])
})

const quoting = `
export const options = {
  '~standard': {
    version: 1,
    vendor: 'quoting',
    validate: ({ key, nested }) => ({
      issues: [
        { message: 'expected a number, but received "' + key + '"', path: ['key'] },
        { message: 'wrong: ' + JSON.stringify(nested), path: [{ key: 'nested' }, { key: 0 }] },
      ],
    }),
  },
}
export default () => ({ name: 'x' })
`

test('a library that quotes what it refuses prints no secret', async () => {
  const options = { key: 'env:KEY', nested: ['literal "canary" of a config'] }
  await using place = await placeWith([{ use: './x.mjs', options }], { 'x.mjs': quoting })
  const { code, stderr } = await place.call('check', { KEY: 'canary-key' })
  expect(code).toBe(3)
  expect(stderr).not.toContain('canary')
  expect(stderr).toMatch(
    /plugins\[0\]\.options\.key\n {4}expected a number, but received "\.\.\."\n {4}fix: see the options of \.\/x\.mjs/,
  )
  expect(stderr).toContain('plugins[0].options.nested[0]\n')
})

test('a function that quotes its options in an error prints no secret', async () => {
  const throwing = `export const options = { '~standard': { validate: (value) => ({ value }) } }
    export default ({ key }) => { throw new Error('no such key: ' + key) }`
  const entry = { use: './x.mjs', options: { key: 'env:KEY' } }
  await using place = await placeWith([entry], { 'x.mjs': throwing })
  const { stderr } = await place.call('check', { KEY: 'canary-key' })
  expect(stderr).toContain('failed: Error: no such key: ...')
})

test('options without a schema are refused, and so is a plugin object that gets some', async () => {
  await using place = await placeWith(
    [
      { use: './function.mjs', options: { a: 1 } },
      { use: './object.mjs', options: {} },
    ],
    {
      'function.mjs': 'export default () => ({ name: "f" })',
      'object.mjs': 'export default { name: "o" }',
    },
  )
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  for (const index of [0, 1]) {
    expect(stderr).toContain(`plugins[${index}].options\n    are given to a plugin that takes none`)
  }
})

test('`config print` shows options without their texts', async () => {
  const options = { text: 'canary', times: 2, token: 'env:STAMP_TOKEN', colour: 'blue' }
  await using place = await placeWithOptions(options)
  const env = { STAMP_TOKEN: 'canary-token' }
  const json = await place.call('config print --json', env)
  expect(json.code).toBe(0)
  const shown = { text: 'set', times: 2, token: 'env:STAMP_TOKEN', colour: 'blue' }
  expect(JSON.parse(json.stdout)).toContainEqual({
    path: 'plugins[0].options',
    value: shown,
    origin: 'file',
  })
  const yaml = await place.call('config print --yaml', env)
  expect(yaml.stdout).toMatch(/use: \.\/stamp\.ts # file/)
  expect(json.stdout + yaml.stdout).not.toContain('canary')
})
