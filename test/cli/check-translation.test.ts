import { expect, test } from 'vitest'

import { openPlace } from './dragoman.ts'

test('check shows what becomes of losses, and which remote files are fetched', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ store: 'memory:' }))
  const { code, stdout } = await place.call('check')
  expect(code).toBe(0)
  expect(stdout).toMatch(/losses +drop\n/)
  expect(stdout).toMatch(/remote files +https from public addresses, at most 20 per request, .*\n/)
})

test.each([
  { remote: { maxFiles: 0 }, shown: 'not fetched' },
  {
    remote: { allowHttp: true, allow: ['media.internal:80'] },
    shown: 'http and https from public addresses and media.internal:80, at most',
  },
  {
    remote: { forbid: ['5.6.0.0/16'], maxFiles: 2, maxBytes: 1000 },
    shown: 'https from public addresses except 5.6.0.0/16, at most 2 per request, of 1000 bytes',
  },
])('check shows $remote', async ({ remote, shown }) => {
  await using place = await openPlace()
  const configuration = { store: 'memory:', losses: 'reject', remote }
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const { stdout } = await place.call('check')
  expect(stdout).toMatch(/losses +reject\n/)
  expect(stdout).toContain(shown)
})

test('a problem of remote files is told with its fix, and code 3', async () => {
  await using place = await openPlace()
  const remote = { allow: ['media.internal'] }
  await place.write('dragoman.config.json', JSON.stringify({ store: 'memory:', remote }))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).toContain('remote.allow[0]')
  expect(stderr).toContain('fix: for example "media.internal:443"')
})
