import { expect, test } from 'vitest'

import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'
import { parseYamlFile } from '../../src/configuration/yaml.ts'
import { ConfigurationError } from '../../src/contract/problems.ts'

const file = 'dragoman.config.yaml'

/** The problem with a text that is refused, on one line. */
function faultOf(text: string): string {
  try {
    parseYamlFile(file, text)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ path, message, fix }) => `${path}: ${message} / ${fix}`).join('\n')
  }
  return 'accepted'
}

test('a configuration in YAML has the settings of the same configuration in JSON', () => {
  const config = {
    listen: { host: '0.0.0.0', port: 9000 },
    keys: [{ id: 'team-a', secret: 'env:TEAM_A_KEY', expiresAt: '2030-01-31' }],
    accounts: [
      { id: 'one', provider: 'openai', apiKey: 'sk-1', models: ['gpt-*', '*'], weight: 0.5 },
      { id: 'two', provider: 'anthropic', apiKey: 'sk-2', models: { 'a/*': 'claude-*' } },
    ],
    uploads: { keepDays: false },
  }
  const text = `# comments are allowed
listen: { host: 0.0.0.0, port: 9000 }
keys:
  - id: team-a
    secret: env:TEAM_A_KEY
    expiresAt: 2030-01-31
accounts:
  - id: one
    provider: openai
    apiKey: sk-1
    models: [gpt-*, '*']
    weight: 0.5
  - id: two
    provider: anthropic
    apiKey: sk-2
    models:
      a/*: claude-*
uploads:
  keepDays: false
`
  const surroundings = { env: { TEAM_A_KEY: 'k' }, file }
  expect(resolveSettings(parseYamlFile(file, text), surroundings)).toEqual(
    resolveSettings(config, surroundings),
  )
})

test('words and numbers are those of YAML 1.2', () => {
  const text = 'a: yes\nb: off\nc: 0o10\nd: 010\ne: 12:30\nf: 2030-01-31\ng: ~\nh: 1e3\n<<: x\n'
  expect(parseYamlFile(file, text)).toEqual({
    a: 'yes',
    b: 'off',
    c: 8,
    d: 10,
    e: '12:30',
    f: '2030-01-31',
    g: null,
    h: 1000,
    '<<': 'x',
  })
})

test('an anchor gives several accounts the same models', () => {
  const text = 'a: &models [gpt-*, o*]\nb: *models\n'
  expect(parseYamlFile(file, text)).toEqual({ a: ['gpt-*', 'o*'], b: ['gpt-*', 'o*'] })
})

test.each([
  ['a: 1\nb: 2\na: 3\n', '3:1', 'this key occurs twice in its mapping', 'keep one of the two'],
  ['a: {b: 1, b: 2}', '1:11', 'this key occurs twice', 'keep one'],
  ['a: 1\n---\nb: 2\n', '2:1', 'a second document begins here', 'remove the line with ---'],
  ['a:\n  - !secret x', '2:5', 'tags (!name) are not supported', 'remove the tag'],
  ['a: !!binary aGk=', '1:4', 'tags (!name) are not supported', 'remove the tag'],
  ['? [a]\n: b', '1:3', 'this key is not a string', 'write a plain name'],
  ['models: [gpt-*, *]', '1:17', '* begins an alias', 'for example "*"'],
  ['models:\n  - *-mini', '2:5', 'this alias (*name) has no anchor', 'put quotes'],
  ['a: &a\n  b: [*a]', '2:7', 'this alias (*name) is inside its own anchor', 'write out'],
  ['a:\n\tb: 1', '2:1', 'a tab indents this line', 'indent with spaces'],
  ['a: [1, 2\nb: 3', '2:1', 'this line is indented wrongly', 'indent it'],
  ['a: @x', '1:4', 'cannot start with this character', 'need quotes'],
  ['[[['.repeat(10_000), '', 'the nesting is too deep', 'remove levels'],
])('%j is refused with its place and a fix', (text, place, message, fix) => {
  const fault = faultOf(text)
  expect(fault).toMatch(/^dragoman\.config\.yaml:\d+:\d+: is not valid YAML: .+ \/ .+$/)
  for (const part of [place, message, fix]) expect(fault).toContain(part)
})

test('a secret that is written badly is in no message', () => {
  const secret = 'sk-live-2f6b1c0d9e8a7745'
  const texts = [
    `accounts:\n  - {id: a, provider: openai, apiKey:${secret}, models: [m]}\n`,
    `keys:\n  - ${secret}\n`,
    `keys:\n  team-a: ${secret}\n`,
    `accounts:\n  openai: ${secret}\n`,
    `keys:\n  - id: a\n    secret: *${secret}\n`,
  ]
  for (const text of texts) {
    const faults = faultOf(text)
    const problems =
      faults === 'accepted'
        ? checkConfiguration(parseYamlFile(file, text), { env: {}, file }).problems
        : faults
    expect(problems).not.toEqual([])
    expect(JSON.stringify(problems)).not.toContain(secret)
  }
})

test('more aliases than allowed are refused', () => {
  const text = `a: &a 1\nb: [${Array(1_001).fill('*a').join(', ')}]\n`
  expect(faultOf(text)).toContain('expands aliases more than 1000 times')
})

test('aliases that multiply are refused before they take memory', () => {
  const levels = Array.from({ length: 8 }, (_, level) => {
    const name = `level${level + 1}`
    return `${name}: &${name} [${Array(9).fill(`*level${level}`).join(', ')}]`
  })
  const bomb = ['level0: &level0 [x, x, x, x, x, x, x, x, x]', ...levels].join('\n')
  expect(faultOf(bomb)).toBe(
    `${file}: expands aliases more than 1000 times / write out the values that the aliases (*name) stand for`,
  )
})

test.each([
  ['', 'for example accounts: []'],
  ['# nothing but a comment', 'for example accounts: []'],
  ['- a\n- b', 'for example accounts: []'],
])('%j contains no settings', (text, fix) => {
  const { problems } = checkConfiguration(parseYamlFile(file, text), { env: {}, file })
  expect(problems).toEqual([
    {
      path: file,
      message: 'does not contain an object of settings',
      fix: expect.stringContaining(fix),
    },
  ])
})

test('a value of the wrong type is reported as in any other file', () => {
  const config = parseYamlFile(file, 'listen: { port: "8787" }\nkeys:\nlimitz: {}\n')
  const { problems } = checkConfiguration(config, { env: {}, file })
  expect(problems.map(({ path }) => path).toSorted()).toEqual(['keys', 'limitz', 'listen.port'])
})
