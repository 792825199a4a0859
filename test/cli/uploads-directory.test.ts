import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { addressesOf, withoutAdmin, openPlace } from './dragoman.ts'

const keys = [{ id: 'team', secret: 'secret-of-this-one-test' }]
const accounts = [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['gpt-5'] }]

function configOf(directory: string): string {
  return JSON.stringify({ store: 'memory:', keys, accounts, uploads: { directory } })
}

test.each(['file', 'file/below', '/proc/nope'])(
  'check tells that uploads cannot go to %s',
  async (directory) => {
    await using place = await openPlace()
    await place.write('file', '')
    await place.write('dragoman.config.json', configOf(directory))
    const { code, stderr } = await place.call('check')
    expect(code).toBe(3)
    expect(stderr).toContain('  uploads.directory\n')
    expect(stderr).toMatch(/is not writable|is not a directory, or its parent is not/)
  },
)

test('check leaves nothing of what it has tried', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', configOf('not/there/yet'))
  expect(await place.call('check')).toMatchObject({ code: 0, stderr: 'No problems.\n' })
  expect(await readdir(place.path)).toEqual(['dragoman.config.json'])
})

test('where nobody has named the directory check warns alone', async () => {
  await using place = await openPlace()
  await place.write('.dragoman', '')
  const configuration = { store: 'memory:', keys, accounts }
  await place.write('dragoman.config.json', JSON.stringify(configuration))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^Warning: uploads\.directory: .*, so uploads are answered 503\.$/m)
})

test('a gateway that cannot keep uploads serves the rest, and says so', async () => {
  await using place = await openPlace()
  await place.write('file', '')
  await place.write('dragoman.config.json', configOf('file'))
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  await until(() => server.output.stderr.includes('uploads cannot be stored'))
  expect(server.output.stderr).toContain(`${join(place.path, 'file')} is not a directory`)
  const issued = await fetch(`${clients}/v1/files/upload_url`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer secret-of-this-one-test',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ path: 'cat.png' }),
  })
  const { upload_url } = (await issued.json()) as { upload_url: string }
  const put = await fetch(upload_url, { method: 'PUT', body: 'x' })
  expect([put.status, put.headers.get('x-should-retry')]).toEqual([503, 'true'])
})
