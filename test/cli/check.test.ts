import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('a configuration is shown whole, but for its secrets', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.ts',
    `import { defineConfig } from 'dragoman'
    export default defineConfig({
      listen: { port: 1234 },
      keys: [{ id: 'team-a', secret: 'hush-1-0123456789abcdef', models: ['gpt-*'],
        quotas: [{ kind: 'cost', amount: '2.50', window: 'day', strict: true }] }],
      quotas: [{ kind: 'requests', amount: 600, action: 'warn' }],
      accounts: [
        { id: 'up', provider: 'openai', apiKey: 'env:UP_KEY', models: ['gpt-*'] },
        { id: 'local', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1',
          speaks: ['chat'], models: { fast: 'llama' }, enabled: false },
      ],
      aliases: { quick: 'gpt-4.1-mini' },
      plugins: [{ name: 'my-own-plugin' }],
    })`,
  )
  const { code, stdout, stderr } = await place.run('check --host localhost', { UP_KEY: 'hush-2' })
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems.\n' })
  expect(stdout).toMatch(/API +localhost:1234/)
  expect(stdout).toMatch(/1 +access-log[^]*my-own-plugin[^]*api-keys/)
  expect(stdout).not.toContain('/v1/responses')
  expect(stdout).toMatch(
    /Summary\n +accounts +2 \(1 enabled\)\n +aliases +1\n +keys +1 \(1 active\)\n +admin tokens +0\n +routes +\d+ \(`--routes` shows them\)\n+$/,
  )
  expect(stdout).toMatch(/up +openai +https:\/\/api\.openai\.com\/v1 +set +yes .* gpt-\*\n/)
  expect(stdout).toMatch(
    /local +openai-compatible +http:\/\/127\.0\.0\.1:9\/v1 +none +no +chat +fast \(as llama\)\n/,
  )
  expect(stdout).toMatch(/quick +gpt-4\.1-mini\n/)
  expect(stdout).toMatch(/team-a +active +gpt-\* +never +configuration\n/)
  expect(stdout).toMatch(/key:team-a:cost:day +2\.5 USD +refuse, strict\n/)
  expect(stdout).toMatch(/gateway::requests:1m +600 +warn\n/)
  expect(stdout + stderr).not.toContain('hush')

  const whole = await place.run('check --routes', { UP_KEY: 'hush-2' })
  expect(whole.stdout).toMatch(/POST +responses +responses\.create +\/v1\/responses\n/)
  expect(whole.stdout).not.toMatch(/\/v1\/videos\/edits/)
  const [, count] = /routes +(\d+)\n+$/.exec(whole.stdout) ?? []
  const [, routes = ''] = /^Routes\n((?: {2}.*\n)+)/m.exec(whole.stdout) ?? []
  expect(routes.trimEnd().split('\n')).toHaveLength(Number(count))
})

test('all problems are told at once, those of providers too, with code 3', async () => {
  await using place = await openPlace()
  await place.write(
    'other.json',
    JSON.stringify({
      lisen: {},
      accounts: [
        { id: 'broken', provider: 'openai', models: [], apiKey: 'env:NOT_SET' },
        { id: 'b', provider: 'opnai', models: ['*'] },
        { id: 'c', provider: 'openai', models: ['*'], speaks: ['chatt'] },
      ],
      plugins: [{ name: 'x' }],
    }),
  )
  const { code, stdout, stderr } = await place.call('check', { DRAGOMAN_CONFIG: 'other.json' })
  expect(code).toBe(3)
  expect(stdout).toContain('Pipeline')
  const paths = [...stderr.matchAll(/^ {2}(\S+)$/gm)].map(([, path]) => path)
  expect(paths).toEqual([
    'lisen',
    'accounts[0].models',
    'accounts[0].apiKey',
    'plugins[0].use',
    'plugins[0].name',
    'accounts[1].provider',
    'accounts[2].speaks',
  ])
  expect(stderr).toContain('did you mean "listen"?')
})

test('without a configuration, what serve would work with is shown, and nothing is written', async () => {
  await using place = await openPlace()
  const { code, stdout } = await place.call('check', { ANTHROPIC_API_KEY: 'sk-ant-hush' })
  expect(code).toBe(0)
  expect(stdout).toMatch(/sandbox +sandbox .*sandbox\/echo/)
  expect(stdout).toMatch(/anthropic +anthropic .*claude-\*/)
  expect(stdout).not.toContain('hush')
  expect(await readdir(place.path)).toEqual([])
})

test('a store that cannot be read is a problem, not an empty one', async () => {
  await using place = await openPlace()
  await place.call('keys create a')
  await writeFile(join(place.path, '.dragoman/store.sqlite'), 'no database '.repeat(999))
  const { code, stdout, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stdout).toContain('Pipeline')
  expect(stderr).toMatch(/ {2}store\n.*store\.sqlite cannot be opened/)
})

test('a storage with a name that none may have is a problem with its path, and no failure of check', async () => {
  await using place = await openPlace()
  const storage = { kind: 's3', bucket: 'b', region: 'r', accessKeyId: 'a', secretAccessKey: 'b' }
  const storages = { 'a.b': storage, local: storage }
  await place.write('dragoman.config.json', JSON.stringify({ uploads: { storages } }))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).toContain('uploads.storages.a.b\n')
  expect(stderr).toContain('uploads.storages.local\n')
})

test.each([
  ['dragoman.config.yaml', '', 'for example accounts: []'],
  ['dragoman.config.yaml', '# nothing but a comment\n', 'for example accounts: []'],
  ['dragoman.config.json', 'null', '{ "accounts": [] }'],
  ['dragoman.config.mjs', 'export default undefined', 'export default defineConfig'],
])('%s with %j has no settings', async (file, content, fix) => {
  await using place = await openPlace()
  await place.write(file, content)
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).toContain('does not contain an object of settings')
  expect(stderr).toContain(fix)
})
