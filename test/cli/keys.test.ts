import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { UsageError } from '../../src/cli/command.ts'
import { parseExpiry } from '../../src/cli/keys/parse.ts'
import { openPlace } from './dragoman.ts'

test('the life of a key', async () => {
  await using place = await openPlace()
  const created = await place.run('keys create --id team-a --models gpt-*,claude-* --expires 30d')
  expect(created.code).toBe(0)
  expect(created.stdout).toMatch(/^dgm_[\w-]{43}\n$/)
  expect(created.stderr).toContain('The key "team-a" is issued.')
  expect(created.stderr).not.toContain(created.stdout.trim())

  const again = await place.call('keys create team-a')
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('exists') })

  const rotated = await place.call('keys rotate team-a --json')
  const { secret, ...rest } = JSON.parse(rotated.stdout)
  expect(secret).toMatch(/^dgm_/)
  expect(secret).not.toBe(created.stdout.trim())
  expect(rest).toMatchObject({ id: 'team-a', state: 'active', models: ['gpt-*', 'claude-*'] })

  const revoked = await place.call('keys revoke --id team-a')
  expect(revoked).toMatchObject({ code: 0, stdout: '' })
  const listed = await place.call('keys list')
  expect(listed.stdout).toMatch(/^ID .*\nteam-a +revoked +gpt-\*,claude-\* +20.* store\n$/)
  expect(listed.stdout).not.toContain('sha256')

  const late = await place.call('keys rotate team-a')
  expect(late).toMatchObject({ code: 1, stdout: '' })
  expect(late.stderr).toBe('dragoman: The key "team-a" is revoked.\n')
})

test('a key without a name gets one, and JSON lists it', async () => {
  await using place = await openPlace()
  const empty = await place.call('keys list --json')
  expect(empty.stdout).toBe('[]\n')
  const created = await place.call('keys create --json --store file:elsewhere')
  const { id } = JSON.parse(created.stdout)
  expect(id).toMatch(/^key-[0-9a-f]{8}$/)
  const listed = await place.call('keys list --json', { DRAGOMAN_STORE: 'file:elsewhere' })
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, state: 'active', from: 'store' }])
})

test('the store is where the configuration says, from wherever it is asked', async () => {
  await using place = await openPlace()
  await mkdir(join(place.path, 'conf'))
  await place.write(
    'conf/dragoman.config.json',
    JSON.stringify({ store: 'file:keys', keys: [{ id: 'fixed', secret: 's' }], acounts: [] }),
  )
  expect((await place.call('keys create -c conf --id made')).code).toBe(0)
  const listed = await place.call('keys list -c conf/dragoman.config.json')
  expect(listed.stdout).toMatch(/^fixed .*configuration\nmade .*store$/m)
  const [here, fixed, memory] = await Promise.all([
    place.call('keys list'),
    place.call('keys rotate fixed -c conf'),
    place.call('keys create --store memory:'),
  ])
  expect(here.stderr).toContain('No API keys exist.')
  expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('in the configuration') })
  expect(memory).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('memory: ends with this command'),
  })
})

test('what cannot be meant is refused', async () => {
  await using place = await openPlace()
  const results = await Promise.all([
    place.call('keys revoke'),
    place.call('keys create a/b'),
    place.call('keys create a --id b'),
    place.call('keys create --expires yesterday'),
    place.call('keys create --models a,,b'),
    place.call('keys revoke nobody'),
    place.call('keys create --store redis+sentinel://x'),
  ])
  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 1, 3])
  expect(results.every(({ stdout }) => stdout === '')).toBe(true)
})

test('a store that cannot be used is said in a line, with what looks for the cause and code 1', async () => {
  await using place = await openPlace()
  await writeFile(join(place.path, '.dragoman'), 'in the way')
  const { code, stderr } = await place.call('keys create')
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^dragoman: The store directory .*\.dragoman cannot be created: .*\n.*doctor.* looks for the cause\.\n$/,
  )
})

describe('--expires', () => {
  const now = Date.UTC(2030, 0, 1)
  test.each([
    ['12h', now + 12 * 3_600_000],
    ['30d', Date.UTC(2030, 0, 31)],
    ['2w', Date.UTC(2030, 0, 15)],
    ['1y', now + 365 * 86_400_000],
    ['2030-02-01', Date.UTC(2030, 1, 1)],
    ['2030-02-01T12:00:00+02:00', Date.UTC(2030, 1, 1, 10)],
  ])('%s', (text, time) => {
    expect(parseExpiry(text, now)).toBe(time)
  })

  test.each(['', '30', '0d', '-1d', 'd', '2030-02-01T12:00', '2029-12-31', '2030-13-01', 'soon'])(
    '"%s" is refused',
    (text) => {
      expect(() => parseExpiry(text, now)).toThrow(UsageError)
    },
  )
})
