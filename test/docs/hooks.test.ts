import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { hookNames } from '../../src/contract/plugin.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { openCheckout, serving, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'

const page = openPage('docs/plugins.md')

test('the hooks of the page do to a call what the page says', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  await using sandbox = await startSandbox()
  const config = page
    .block('ts', "name: 'house'")
    .replace(
      '  accounts: [',
      "  keys: [{ id: 'me', secret: 'my-secret' }],\n  store: 'memory:',\n  accounts: [",
    )
    .replaceAll("provider: 'openai'", `provider: 'sandbox', baseUrl: '${sandbox.url}'`)
    .replace("'env:FAR_KEY'", "'sandbox-key-a'")
    .replace("'env:NEAR_KEY'", "'sandbox-key-b'")
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start('npm start')
  const { clients } = await serving(server)
  const ask = (model: string, headers: object = {}, fields: object = {}) =>
    fetch(`${clients}/v1/responses`, {
      method: 'POST',
      headers: { authorization: 'Bearer guest-pass', ...headers },
      body: JSON.stringify({ model, input: 'Hello', ...fields }),
    })

  expect(await (await fetch(`${clients}/robots.txt`)).text()).toContain('Disallow')
  for (const fields of [{}, { stream: true, background: true }]) {
    const response = await ask('sandbox/echo', {}, fields)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-served-by')).toBe('house')
    expect(response.headers.get('x-dragoman-account')).toBe('near')
    await response.text()
  }
  const { body, headers } = sandbox.requests[0]!
  const digest = createHash('sha256').update(body).digest('hex')
  expect(headers['x-body-sha256']).toBe(digest)
  expect((await ask('sandbox/echo', { 'x-forbidden': '1' })).status).toBe(403)
  expect((await ask('sandbox/echo', { authorization: 'Bearer other' })).status).toBe(401)
  expect((await ask('gpt-5')).status).not.toBe(200)
  const upload = await fetch(`${clients}/v1/files/upload_url`, {
    method: 'POST',
    headers: { authorization: 'Bearer guest-pass' },
    body: JSON.stringify({ path: 'a.png' }),
  })
  expect(upload.status).toBe(403)

  // The refusal is the request's own: the account stays.
  expect((await ask('sandbox/status=403')).status).toBe(403)
  const after = await ask('sandbox/status=403')
  expect(after.headers.get('x-dragoman-account')).toBe('near')
  expect(sandbox.requests.filter(({ url }) => url.endsWith('/responses'))).toHaveLength(4)

  server.signal('SIGTERM')
  await server.ended
  await until(() => server.output.text.includes('tokens:'))
  expect(server.output.text).toContain('announced: response')
  expect(server.output.text).toContain('ended: 200 complete')
  expect(server.output.text).toMatch(/tokens: \{"guest":\d+\}/)
})

test('every hook has an example in the page', () => {
  const examples = page.blocks('ts').join('\n')
  const without = hookNames.filter((name) => !new RegExp(`\\b${name}[:(]`).test(examples))
  expect(without).toEqual([])
})
