import { describe, expect, test } from 'vitest'

import { issueKeyHint } from '../../src/cli/public-addresses.ts'
import { sameGateway, withoutLogin } from '../../src/cli/hints.ts'
import { welcome } from '../../src/cli/welcome.ts'
import { resolveSettings } from '../../src/configuration/resolve.ts'
import { revokeKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { openPlace } from './dragoman.ts'

const defaults = resolveSettings({}, { env: {} })

describe('a hint to another command', () => {
  test.each([
    [{}, ''],
    [{ config: 'my.ts', port: '80' }, ' --config my.ts'],
    [{ store: 'file:/var/keys' }, ' --store file:/var/keys'],
    [{ config: 'a.json', store: 'file:b' }, ' --config a.json --store file:b'],
    [{ config: "my 'own'.ts" }, String.raw` --config 'my '\''own'\''.ts'`],
    [{ store: 'redis://:hush@host:6379' }, ' --store redis://...@host:6379'],
  ])('repeats of %j what it needs', (options, words) => {
    expect(sameGateway(options)).toBe(words)
    expect(issueKeyHint(defaults, options)).toBe(
      `issue an API key with \`dragoman keys create${words}\``,
    )
  })

  test('tells what issues a key for the gateway that was started', async () => {
    await using place = await openPlace()
    await place.write('mine.json', '{}')
    const words = '--config mine.json --store file:elsewhere'
    const { stderr } = await place.run(`serve ${words} --host 0.0.0.0 --port 0 --admin-port 0`)
    expect(stderr).toContain(`npm start -- keys create --config mine.json --store file:elsewhere\``)
    await place.call(`keys create a ${words}`)
    const { stdout } = await place.call(`keys list ${words}`)
    expect(stdout).toMatch(/^a +active/m)
  })

  test('follows a list without keys', async () => {
    await using place = await openPlace()
    const { stderr } = await place.call('keys list --store file:elsewhere')
    expect(stderr).toMatch(/`\S.* keys create --store file:elsewhere` issues one\.\n$/)
  })
})

test('the hints of a first run name the store that holds its key', async () => {
  const store = openMemoryStore()
  const options = { store: 'file:elsewhere' }
  await welcome(store, {}, options)
  const again = await welcome(store, {}, options)
  expect(again('http://127.0.0.1:1')).toContain('keys rotate bootstrap --store file:elsewhere\n')
  await revokeKey(store, 'bootstrap')
  const revoked = await welcome(store, {}, options)
  expect(revoked('http://127.0.0.1:1')).toContain('keys create --store file:elsewhere\n')
})

test.each([
  ['file:.dragoman', 'file:.dragoman'],
  ['redis://localhost:6379/0', 'redis://localhost:6379/0'],
  ['rediss://me:hush@host/0?prefix=a:', 'rediss://...@host/0?prefix=a:'],
  ['redis+sentinel://:hush@a:1,b:2/name', 'redis+sentinel://...@a:1,b:2/name'],
])('the store %s is shown as %s', (store, shown) => {
  expect(withoutLogin(store)).toBe(shown)
})

test('check shows which Redis is meant, and not its password', async () => {
  await using place = await openPlace()
  const store = 'redis://me:hush@127.0.0.1:1'
  await place.write('dragoman.config.json', JSON.stringify({ store }))
  const { code, stdout, stderr } = await place.call('check')
  expect(code).toBe(0)
  expect(stdout).toMatch(/store +redis:\/\/\.\.\.@127\.0\.0\.1:1\n/)
  expect(stdout + stderr).not.toContain('hush')
})
