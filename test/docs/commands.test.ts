import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv } from 'ajv'
import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'

import { commands } from '../../src/cli/commands.ts'
import { parseCommandLine } from '../../src/cli/parse.ts'
import { openPage, pagePaths, repository } from './pages.ts'

const pages = pagePaths().map(openPage)

/** The words of each command of the gateway in the examples of a page. */
const commandLines = pages.flatMap(({ path, text, blocks }) =>
  [
    ...blocks('sh'),
    ...Array.from(text.matchAll(/`(npm start --\s[^`]+)`/g), ([, line = '']) => line),
  ]
    .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
    .flatMap((line) => /npm start (?:--silent )?--\s([^|>&]+)/.exec(line)?.[1] ?? [])
    .filter((line) => !/^(?:COMMAND|--help|--version)\b/.test(line))
    .map((line) => ({ path, line, words: wordsOf(line) })),
)

test.each(commandLines)('$path: `$line` is a command with its options', ({ words }) => {
  expect(parseCommandLine(words, commands).command).toBeDefined()
})

test('acts on a running gateway give their reason in the runbooks', () => {
  const acts = commandLines.filter(
    ({ path, words: [, verb = ''] }) =>
      path === 'docs/runbooks.md' && /^(?:disable|forget|revoke)$/.test(verb),
  )
  expect(acts.length).toBeGreaterThan(2)
  for (const { words } of acts) expect(words).toContain('--reason')
})

test('docs/admin-terminal.md has every command that speaks to a running gateway', () => {
  const remote = commands.filter(({ options }) => options.some(({ name }) => name === 'url'))
  const rows = openPage('docs/admin-terminal.md').section('Commands')
  const missing = remote.filter(({ name }) => !rows.includes(`\`${name}`))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('the GraphQL of the pages fits the schema of the admin API', () => {
  const admin = buildSchema(readFileSync(join(repository, 'schema.graphql'), 'utf8'))
  const documents = pages.flatMap(({ blocks }) => blocks('graphql'))
  expect(documents.length).toBeGreaterThan(8)
  for (const text of documents) expect(validate(admin, parse(text)), text).toEqual([])
})

const schema = JSON.parse(
  readFileSync(join(repository, 'schema/dragoman.config.schema.json'), 'utf8'),
) as { properties: object }
const isValid = new Ajv({ strict: false }).compile(schema)

const configured = pages.flatMap(({ path, blocks }) =>
  [...blocks('yaml'), ...blocks('json')]
    .map((text) => parseYaml(text) as object)
    .filter((config) => Object.keys(config).every((name) => name in schema.properties))
    .map((config) => ({ path, names: Object.keys(config).join(), config })),
)

test.each(configured)('$path: $names are settings', ({ config }) => {
  expect({ valid: isValid(config), errors: isValid.errors }).toEqual({ valid: true, errors: null })
})

/** The words of a command line. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, one, other, word]) => one ?? other ?? word ?? '',
  )
}
