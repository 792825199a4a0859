import { mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'
import { secret, configuration, accountOf, refused } from './reloading.ts'

test.concurrent('a mounted config map that is swapped by its symbolic link', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const mount = join(place.path, 'mount')
  const version = async (name: string, accounts: object) => {
    await mkdir(join(mount, name), { recursive: true })
    await writeFile(join(mount, name, 'dragoman.config.json'), configuration(sandbox, accounts))
    await symlink(name, join(mount, '..data_tmp'))
    await rename(join(mount, '..data_tmp'), join(mount, '..data'))
  }
  await version('..first', { a: ['sandbox/one'] })
  await symlink(join('..data', 'dragoman.config.json'), join(mount, 'dragoman.config.json'))
  const server = place.start(`${withoutAdmin} --config mount/dragoman.config.json`)
  const { clients } = await addressesOf(server)
  expect(await accountOf(clients, 'sandbox/one')).toBe('a')
  await version('..second', { b: ['sandbox/one'] })
  await until(async () => (await accountOf(clients, 'sandbox/one')) === 'b')
})

test.concurrent('SIGHUP reads a module again, and a stream in flight ends on what it began with', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  const module = (accounts: object) => `export default ${configuration(sandbox, accounts)}\n`
  await place.write('dragoman.config.mjs', module({ a: ['*'] }))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  const stream = await fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/words=80+pace=20',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }),
  })
  await place.write('dragoman.config.mjs', module({ b: ['*'] }))
  server.child.kill('SIGHUP')
  await until(async () => (await accountOf(clients, 'sandbox/one')) === 'b')
  expect(stream.headers.get('x-dragoman-account')).toBe('a')
  expect((await stream.text()).trimEnd()).toMatch(/data: \[DONE\]$/)
})

test.concurrent('a file that is gone for a moment is no change', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  await place.write('dragoman.config.json', configuration(sandbox, { a: ['sandbox/one'] }))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  await unlink(join(place.path, 'dragoman.config.json'))
  await place.write('next.json', configuration(sandbox, { b: ['sandbox/one'] }))
  await rename(join(place.path, 'next.json'), join(place.path, 'dragoman.config.json'))
  await until(async () => (await accountOf(clients, 'sandbox/one')) === 'b')
  expect(server.output.stderr).not.toContain(refused)
})

test.concurrent('a change and a SIGHUP while the gateway starts are not lost', async () => {
  await using place = await openPlace()
  await using sandbox = await startSandbox()
  await place.write('dragoman.config.json', configuration(sandbox, { a: ['sandbox/one'] }))
  // It waits for the store for a while before it listens.
  const server = place.start(`${withoutAdmin} --store redis://127.0.0.1:1`)
  await server.said(/the store is unavailable/)
  await place.write('dragoman.config.json', configuration(sandbox, { b: ['sandbox/one'] }))
  server.child.kill('SIGHUP')
  const { clients } = await addressesOf(server)
  await until(async () => (await accountOf(clients, 'sandbox/one')) === 'b')
})
