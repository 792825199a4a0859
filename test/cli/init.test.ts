import { readFile, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { type Place, type Result, openPlace } from './dragoman.ts'

const env = {
  OPENAI_API_KEY: 'hush',
  ANTHROPIC_BASE_URL: 'https://u:hush@h.example',
  ANTHROPIC_API_KEY: 'hush',
}

/** Only a process of its own reads modules as Node does. */
function checkIn(place: Place, file: string, variables: Record<string, string>): Promise<Result> {
  return file.endsWith('.ts') ? place.run('check', variables) : place.call('check', variables)
}

test.each([
  ['init', 'dragoman.config.ts'],
  ['init --yaml', 'dragoman.config.yaml'],
])('`%s` writes a configuration that is valid, without the secrets it saw', async (words, file) => {
  await using place = await openPlace()
  const { code, stderr } = await place.call(words, env)
  expect(code).toBe(0)
  expect(stderr).toContain(`Wrote ${file} and .env.example.`)
  expect((await readdir(place.path)).toSorted()).toEqual(['.env.example', file])
  const written = await Promise.all(
    [file, '.env.example'].map((name) => readFile(join(place.path, name), 'utf8')),
  )
  expect(written.join('')).not.toContain('hush')
  expect(written[1]).toMatch(/^OPENAI_API_KEY=$/m)
  const checked = await checkIn(place, file, env)
  expect(checked).toMatchObject({ code: 0 })
  expect(checked.stdout).toMatch(/openai +openai .* gpt-\*/)
  // The base URL of this key is not one that a configuration may have.
  expect(checked.stdout).not.toMatch(/anthropic +anthropic/)
})

test.each([
  ['init', 'dragoman.config.ts'],
  ['init --yaml', 'dragoman.config.yaml'],
])('`%s` knows the keys of servers by name', async (words, file) => {
  await using place = await openPlace()
  const keys = { OPENROUTER_API_KEY: 'hush', OPENAI_API_KEY: 'hush' }
  expect(await place.call(words, keys)).toMatchObject({ code: 0 })
  const { code, stdout } = await checkIn(place, file, keys)
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/openrouter +openrouter .*openrouter\/\*/),
  ])
  expect(await readFile(join(place.path, '.env.example'), 'utf8')).toMatch(/^OPENROUTER_API_KEY=$/m)
})

test('`init` without any key writes what is valid too', async () => {
  await using place = await openPlace()
  await place.call('init --yaml')
  expect(await place.call('check')).toMatchObject({ code: 0 })
})

test('what is a comment in YAML is valid as soon as it is none', async () => {
  await using place = await openPlace()
  await place.call('init --yaml')
  const path = join(place.path, 'dragoman.config.yaml')
  const text = await readFile(path, 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/node_modules\/dragoman\/schema\//)
  const all = text.replace(/^accounts: .*$/m, 'accounts:').replaceAll(/^# {3}/gm, '  ')
  await place.write('dragoman.config.yaml', all)
  const keys = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', GEMINI_API_KEY: 'c' }
  const { code, stdout } = await place.call('check', keys)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ *local +openai-compatible/m)
})

test('init overwrites nothing, and writes through no link', async () => {
  await using place = await openPlace()
  await place.write('.env.example', 'mine')
  await symlink(join(place.path, 'elsewhere'), join(place.path, 'dragoman.config.ts'))
  expect(await place.call('init')).toMatchObject({ code: 1 })
  expect((await readdir(place.path)).toSorted()).toEqual(['.env.example', 'dragoman.config.ts'])

  await using other = await openPlace()
  await other.write('.env.example', 'mine')
  expect((await other.call('init')).stderr).toContain('.env.example exists and stays as it is')
  const again = await other.call('init --yaml')
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('exists already: nothing is written')
  expect(await readFile(join(other.path, '.env.example'), 'utf8')).toBe('mine')
  expect((await readdir(other.path)).toSorted()).toEqual(['.env.example', 'dragoman.config.ts'])
})

test('in a package of CommonJS, init writes a module that Node reads as one', async () => {
  await using place = await openPlace()
  await place.write('package.json', '{"type":"commonjs"}')
  await place.call('init')
  expect(await readdir(place.path)).toContain('dragoman.config.mts')
  expect(await place.run('check')).toMatchObject({ code: 0 })
})
