import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, main, openPlace, withoutAdmin } from './dragoman.ts'

const keys = [{ id: 'team', secret: 'secret-of-this-one-test' }]
const accounts = [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['gpt-5'] }]
const configOf = (spool: string) => JSON.stringify({ store: 'memory:', keys, accounts, spool })

async function spoolOf(url: string): Promise<unknown> {
  const told = (await (await fetch(`${url}/readyz?verbose`)).json()) as { spool: unknown }
  return told.spool
}

test('check tells of a spool that is not a directory, or that lies in none', async () => {
  await using place = await openPlace()
  await place.write('file', '')
  for (const spool of ['file', 'file/below/it']) {
    await place.write('dragoman.config.json', configOf(spool))
    const { code, stdout, stderr } = await place.call('check')
    expect([code, stdout]).toEqual([3, expect.stringContaining('Pipeline')])
    expect(stderr).toContain(
      `  spool\n    ${join(place.path, 'file')} is not a directory\n    fix: `,
    )
  }
})

test('check makes no directory for a look', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf('not/there/yet'))
  expect(await place.call('check')).toMatchObject({ code: 0, stderr: 'No problems.\n' })
  expect(await readdir(place.path)).toEqual(['dragoman.config.json'])
})

test('a gateway whose spool cannot be used serves the rest, and says so', async () => {
  await using place = await openPlace()
  await place.write('file', '')
  await place.write('dragoman.config.json', configOf('file'))
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  expect(await spoolOf(operators)).toEqual({ bytes: 0, usable: false })
  for (const url of [clients, operators]) expect((await fetch(`${url}/readyz`)).status).toBe(200)
  await until(() => server.output.stderr.includes('is not a directory'))
  expect(server.output.stderr).toContain('the spool is unusable')
})

/** A shell in which no file can grow beyond 256 or 512 KiB, as on a disk that is full. */
const onFullDisk = (words: string) => ({
  file: 'sh',
  words: ['-c', 'ulimit -f 512; exec "$0" "$@"', process.execPath, main, ...words.split(' ')],
})

test('a gateway whose disk is full says so, refuses forms that need it, and serves the rest', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf('spool'))
  const server = place.start(withoutAdmin, {}, onFullDisk)
  const { clients } = await addressesOf(server)
  expect(await spoolOf(clients)).toEqual({ bytes: 0, usable: false })
  expect(server.output.stderr).toContain('has no space for a form of 1 MiB')
  const send = (bytes: number) => {
    const form = new FormData()
    form.set('model', 'gpt-image-1')
    form.set('prompt', 'A cat')
    form.set('image', new Blob([Buffer.alloc(bytes)], { type: 'image/png' }), 'a.png')
    const authorization = 'Bearer secret-of-this-one-test'
    const url = `${clients}/v1/images/edits`
    return fetch(url, { method: 'POST', body: form, headers: { authorization } })
  }
  const large = await send(3_000_000)
  expect([large.status, large.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await send(1_000)).status).toBe(404)
  expect((await fetch(`${clients}/readyz`)).status).toBe(200)
})

test('check tells of a full disk', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf('spool'))
  const { code, stderr } = await place.start('check', {}, onFullDisk).ended
  expect([code, stderr]).toEqual([3, expect.stringContaining('has no space for a form')])
})

test('readiness tells that a spool can be used, and how much is in it', async () => {
  await using gateway = await createTestGateway()
  expect(await spoolOf(gateway.url)).toEqual({ bytes: 0, usable: true })
})
