import { readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace, statusWithKey } from '../cli/dragoman.ts'

// It starts three processes.
vi.setConfig({ testTimeout: 90_000 })

const secret = 'secret-of-this-test'

test('workers share a log file, which a rotation and a reload replace', async () => {
  await using place = await openPlace()
  const write = (log: object) =>
    place.write(
      'dragoman.config.json',
      JSON.stringify({ keys: [{ id: 'team', secret }], store: 'file:store', log }),
    )
  await write({ file: 'gateway.log', format: 'pretty' })
  const server = place.start(`${withoutAdmin} --workers 2`, { DRAGOMAN_LOG_FORMAT: 'json' })
  const { clients } = await addressesOf(server)
  const path = join(place.path, 'gateway.log')
  const linesOf = async (file: string) =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  for (let number = 0; number < 40; number++) await statusWithKey(clients, secret)
  await until(async () => {
    const lines = await linesOf(path).catch(() => [])
    return lines.filter(({ msg }) => msg === 'exchange').length === 40
  })
  expect((await stat(path)).mode & 0o137).toBe(0)

  await rename(path, `${path}.1`)
  await until(async () => {
    await statusWithKey(clients, secret)
    return (await linesOf(path).catch(() => [])).some(({ msg }) => msg === 'exchange')
  })

  await write({ file: 'access.log', level: 'off' })
  const access = join(place.path, 'access.log')
  await until(async () => {
    await statusWithKey(clients, secret)
    return (await linesOf(access).catch(() => [])).length > 0
  })
  server.child.kill('SIGTERM')
  const { stdout } = await server.ended
  expect(stdout).toBe('')
  expect((await linesOf(`${path}.1`)).length).toBeGreaterThanOrEqual(40)
  expect((await linesOf(path)).map(({ msg }) => msg)).toContain('exchange')
})
