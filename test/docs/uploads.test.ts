import { expect, test } from 'vitest'

import { errorTable } from '../../src/contract/errors.ts'
import { urlLifetimeMs } from '../../src/storage/settings.ts'
import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

const page = openPage('docs/uploads.md')
const upload = page.block('js', '/files/upload_url')
const [start = '', run = '', ...more] = page.blocks('sh')

test.each([start, `${start} -- --workers 2`])(
  'a newcomer uploads a file as the page shows, to a gateway of %s',
  async (command) => {
    await using checkout = await openCheckout(withoutAdmin)
    const server = checkout.start(command)
    const { clients } = await serving(server)
    const code = addressed(upload.replace("from 'openai'", "from 'openai-7'"), { clients })
    await checkout.write('upload.mjs', code)
    expect(more).toEqual([])
    const output = await checkout.run(run, { DRAGOMAN_KEY: await firstKey(server) })
    const [, status, path, visitUrl = ''] = /^(\d+) (\S+) (\S+)$/m.exec(output) ?? []
    expect([status, path]).toEqual([
      '201',
      expect.stringMatching(/^local:.*\/examples\/upload\.mjs$/),
    ])
    expect(await (await fetch(visitUrl)).text()).toBe(code)
  },
)

/** The answer of a gateway, started by a command, to a request for a URL. */
async function askServer(command: string) {
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start(command)
  const { port } = new URL((await serving(server)).clients)
  const response = await fetch(`http://127.0.0.1:${port}/v1/files/upload_url`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await firstKey(server)}` },
    body: JSON.stringify({ path: 'a' }),
  })
  return { status: response.status, text: await response.text() }
}

test('a gateway for other machines needs its public URL', async () => {
  const unknown = await askServer('npm start -- --host 0.0.0.0')
  expect(unknown.status).toBe(500)
  expect(unknown.text).toContain('publicUrl')
  const known = await askServer('npm start -- --host 0.0.0.0 --public-url https://llm.example.com')
  expect(known.status).toBe(200)
  expect(known.text).toContain('https://llm.example.com/v1/files/')
})

test('the configuration of the page is in order', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const config = page.block('ts', 'storages: {')
  const names = [...config.matchAll(/env:(\w+)/g)].map(([, name = '']) => [name, 'a-secret'])
  expect(names).toHaveLength(4)
  await checkout.write('dragoman.config.ts', config)
  const report = await checkout.run('npm start -- check --routes', Object.fromEntries(names))
  expect(report).toMatch(/uploads\.create +\/v1\/files\/upload_url/)
  expect(report).toContain('No problems')
  expect(report).not.toContain('a-secret')
})

test('the statuses that the page names are those of the errors', () => {
  const section = page.section('The answer')
  const codes = ['url_expired', 'not_found', 'already_exists', 'request_too_large'] as const
  for (const code of [
    ...codes,
    'unsupported_media_type',
    'storage_full',
    'misconfigured',
  ] as const) {
    expect(section).toContain(`| ${errorTable[code].status} |`)
  }
  expect(section).toContain(`${urlLifetimeMs / 60_000} minutes`)
})
