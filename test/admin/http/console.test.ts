import { expect, test } from 'vitest'

import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { startBuild, startConsole } from './console-build.ts'
import { type Answer, send } from './send.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

function get(
  gateway: AdminGateway,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  return send(gateway.adminUrl, { method, path, headers })
}

test('the page of the console needs no session, is never kept, and has the strict policy', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  for (const path of ['/console/', '/console/accounts', '/console/calls?status=5XX']) {
    const { status, headers } = await get(gateway, path)
    expect([path, status]).toEqual([path, 200])
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test('a page at any depth finds its files by relative URLs, so that the prefix of a proxy does no harm', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  const scriptOf = async (path: string, headers = {}) => {
    const { text } = await get(gateway, path, headers)
    return new URL(/src="([^"]+)"/.exec(text)![1]!, `https://admin.example.com/ops${path}`).pathname
  }
  const script = '/ops/console/assets/index-abc123.js'
  expect(await scriptOf('/console/')).toBe(script)
  expect(await scriptOf('/console/accounts')).toBe(script)
  expect(await scriptOf('/console/accounts/openai-main')).toBe(script)
  // Ids have dots; only a browser that opens a page asks so for HTML.
  const asPage = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  expect(await scriptOf('/console/models/gpt-5.6', asPage)).toBe(script)
  expect((await get(gateway, `/console/${'a/'.repeat(100)}`)).status).toBe(404)
})

test('the address leads to the console, by a relative redirect', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  for (const path of ['/', '/console', '/?x=https://evil.example']) {
    const { status, headers } = await get(gateway, path)
    expect([status, headers.location]).toEqual([302, 'console/'])
  }
})

test('a gateway without the console leads to GraphiQL, and a reload brings the console back', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({
    console: build.directory,
    admin: { console: false },
  })
  const { status, headers } = await get(gateway, '/')
  expect([status, headers.location]).toEqual([302, 'graphiql'])
  for (const path of ['/console/', '/console/accounts', '/console/assets/index-abc123.js'])
    expect([path, (await get(gateway, path)).status]).toEqual([path, 404])
  await gateway.reload({ admin: { console: true } })
  expect((await get(gateway, '/console/')).status).toBe(200)
})

test('files of the console are kept for ever and sent compressed as the client takes them', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  const path = '/console/assets/index-abc123.js'
  const asked = async (accepted?: string, name = path) => {
    const { status, headers, text } = await get(
      gateway,
      name,
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    )
    expect([status, text.length > 0]).toEqual([200, true])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    })
    return headers['content-encoding']
  }
  expect(await asked()).toBeUndefined()
  expect(await asked('gzip, deflate, br, zstd')).toBe('br')
  expect(await asked('gzip, br;q=0')).toBe('gzip')
  expect(await asked('GZIP;q=0.5')).toBe('gzip')
  expect(await asked('br;q=0.0, gzip; q=0')).toBeUndefined()
  expect(await asked('identity')).toBeUndefined()
  // Without compressed forms.
  expect(await asked('br', '/console/assets/index-abc123.css')).toBeUndefined()
  const head = await get(gateway, path, { 'accept-encoding': 'br' }, 'HEAD')
  expect([head.status, head.text, head.headers['content-encoding']]).toEqual([200, '', 'br'])
  expect(Number(head.headers['content-length'])).toBeLessThan(200)
  const types = await Promise.all(
    ['index-abc123.js', 'index-abc123.css', 'inter-def456.woff2'].map(
      async (name) => (await get(gateway, `/console/assets/${name}`)).headers['content-type'],
    ),
  )
  expect(types).toEqual(['text/javascript; charset=utf-8', 'text/css; charset=utf-8', 'font/woff2'])
})

test('a missing file is no page, so that a page of a former version notices', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  const asPage = { accept: 'text/html' }
  for (const path of ['/console/assets/index-old999.js', '/console/assets/', '/console/assets/x']) {
    const { status, code, headers } = await get(gateway, path, asPage)
    expect([path, status, code]).toEqual([path, 404, 'NOT_FOUND'])
    expect(headers['cache-control']).toBe('no-store')
  }
  expect((await get(gateway, '/console/favicon.ico', { accept: 'image/*' })).status).toBe(404)
})

test('no path leaves the console, and nothing but its files is served', async () => {
  await using build = await startConsole()
  await build.write('notes.exe', 'secret-of-the-build')
  await using gateway = await startAdminGateway({ console: build.directory })
  for (const path of [
    '/console/.stamp',
    '/console/operations.json',
    '/console/notes.exe',
    '/console/assets/index-abc123.js.br',
    '/console/../package.json',
    '/console/assets/../.stamp',
    '/console/assets/..%2f.stamp',
    '/console/%2e%2e/%2e%2e/package.json',
    '/console/assets/%2e%2e/.stamp',
    '/console/..\\package.json',
    '/console/assets\\..\\.stamp',
    '/console//etc/passwd',
    '/console/assets//index-abc123.js',
    '/console/__proto__',
    '/console/constructor.js',
    '/console/.stamp%00.js',
    '/consoles/',
  ]) {
    const { status, text, headers } = await get(gateway, path)
    expect(text).not.toContain('secret-of-the-build')
    const isPage = String(headers['content-type']).startsWith('text/html')
    if (status === 200) expect([path, isPage]).toEqual([path, true])
    else expect([401, 404]).toContain(status)
  }
})

test('the console has the checks of every other path: Host, Origin, method', async () => {
  await using build = await startConsole()
  await using gateway = await startAdminGateway({ console: build.directory })
  const paths = ['/', '/console/', '/console/assets/index-abc123.js']
  for (const path of paths) {
    expect((await get(gateway, path, { host: 'evil.example' })).status).toBe(421)
    expect((await get(gateway, path, { origin: 'https://evil.example' })).status).toBe(403)
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await get(gateway, path, {}, method)
      expect([path, method, status]).toEqual([path, method, 405])
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  }
  expect((await get(gateway, '/console/', {}, 'HEAD')).text).toBe('')
})

test('while there is no build the page says so, and a build that arrives or changes is served', async () => {
  await using build = await startBuild()
  await using gateway = await startAdminGateway({ console: build.directory })
  const waiting = await get(gateway, '/console/accounts')
  expect([waiting.status, waiting.headers['retry-after']]).toEqual([503, '2'])
  expect(waiting.text).toContain('The console is being built')
  expect((await get(gateway, '/console/assets/index-abc123.js')).status).toBe(404)
  await build.write('assets/index-one.js', 'one')
  await build.write('index.html', '<script src="./assets/index-one.js"></script>')
  const poll = { timeout: 5_000 }
  await expect.poll(async () => (await get(gateway, '/console/')).text, poll).toContain('index-one')
  await build.write('assets/index-two.js', 'two')
  await build.write('index.html', '<script src="./assets/index-two.js"></script>')
  await expect.poll(async () => (await get(gateway, '/console/')).text, poll).toContain('index-two')
  expect((await get(gateway, '/console/assets/index-two.js')).text).toBe('two')
})
