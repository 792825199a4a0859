import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'
import { openingQueries } from '../../../src/admin/http/graphiql-queries.ts'
import { rolePage } from '../../../src/admin/http/role-page.ts'
import { startBrowser } from './browser.ts'
import { send } from './send.ts'

const account = `mutation { createAccount(input: {id: "typed", provider: "openai", models: ["m"],
  credential: "typed-canary"}) { __typename } }`

test(
  'a credential that an admin types into GraphiQL stays in no storage and no address of the browser',
  { timeout: 120_000 },
  async () => {
    await using gateway = await startAdminGateway()
    await using browser = await startBrowser(gateway.adminUrl)
    const { page, faults } = browser
    const kept = () => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
    const leave = (key: string) =>
      page.evaluate((name) => localStorage.setItem(name, 'typed-canary'), key)
    await page.clock.install()
    // Under that clock it returns nothing, and the editor reads the duration where it is slow.
    await page.addInitScript(() => {
      performance.measure = () => ({ duration: 0 }) as PerformanceMeasure
    })
    await page.goto(`${gateway.adminUrl}/graphiql`)
    // As a former version of the gateway has left it.
    await leave('graphiql:query')
    await page.reload()
    await page.getByLabel('Admin token').fill(gateway.token('admin'))
    expect(await kept()).not.toContain('typed-canary')
    await page.getByRole('button', { name: 'Sign in' }).click()

    const run = page.locator('.graphiql-execute-button')
    await run.waitFor({ timeout: 60_000 })
    await leave('graphiql:tabState')
    await leave('of another page')
    await page.reload()
    await run.waitFor({ timeout: 60_000 })
    expect(await kept()).not.toContain('graphiql')
    expect(await kept()).toContain('of another page')
    await page.evaluate(() => localStorage.clear())

    await page.locator('.graphiql-query-editor .view-lines').first().click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(account)
    await run.click()
    const response = page.locator('.graphiql-response')
    await expect
      .poll(
        async () => {
          const text = await response.innerText()
          // GraphiQL finds the operations of a text a moment after it is typed.
          if (text.includes('OPERATION_RESOLUTION_FAILURE')) await run.click()
          return text
        },
        { timeout: 20_000 },
      )
      .toContain('CreateAccount')
    // GraphiQL stores what is typed a moment later.
    await page.clock.runFor(5_000)
    expect(page.url()).not.toContain('typed-canary')
    expect(await kept()).not.toContain('typed-canary')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Admin token').waitFor()
    expect(await kept()).toBe('[{},{}]')
    expect(faults).toEqual([])
  },
)

test('GraphiQL opens with queries that this schema answers, within the limits', async () => {
  await using gateway = await startAdminGateway({
    keys: [{ id: 'bootstrap', secret: 'test-secret' }],
  })
  expect(openingQueries).toHaveLength(10)
  for (const document of openingQueries) {
    if (document.includes('subscription')) continue
    const { data, errors } = await gateway.graph(document)
    expect([document, errors, data === null]).toEqual([document, [], false])
  }
})

test('the page of a role that GraphiQL is not for shows names of users as texts', async () => {
  await using gateway = await startAdminGateway({
    tokens: [{ id: 'ops', role: 'operator', secret: 'dga_one-secret-of-an-operator-0000000000' }],
  })
  const authorization = 'Bearer dga_one-secret-of-an-operator-0000000000'
  const get = (headers: Record<string, string> = {}) =>
    send(gateway.adminUrl, { method: 'GET', path: '/graphiql', headers })
  const { status, text, headers } = await get({ authorization })
  expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
  expect(text).toContain('ops')
  // A token has no session that could end.
  expect(text).not.toContain('Sign out')
  const begun = gateway.services.sessions.prepare(
    { kind: 'oidc', issuer: 'https://a', subject: '<img/src=x>&"', groups: [] },
    { role: 'viewer' },
    { address: '', agent: '', use: 'console' },
  )
  await begun.begin()
  expect(rolePage(begun.principal, 'http://a"b')).toContain('oidc/&lt;img/src=x&gt;&amp;&quot;')
  expect(rolePage(begun.principal, 'http://a"b')).not.toContain('a"b')
})

test('GraphiQL is for admins, and so are its files', async () => {
  await using gateway = await startAdminGateway()
  const get = (path: string, headers: Record<string, string> = {}) =>
    send(gateway.adminUrl, { method: 'GET', path, headers })
  const viewer = { authorization: `Bearer ${gateway.token('viewer')}` }
  const admin = { authorization: `Bearer ${gateway.token('admin')}` }
  for (const path of ['/graphiql', '/graphiql/start.js', '/graphiql/graphiql.js']) {
    expect([path, (await get(path)).status]).toEqual([path, 401])
    expect([path, (await get(path, viewer)).status]).toEqual([path, 403])
    expect([path, (await get(path, admin)).status]).toEqual([path, 200])
  }
  for (const path of [
    '/graphiql/../session',
    '/graphiql/__proto__',
    '/graphiql/%2e%2e/x',
    '/graphiql//',
  ]) {
    expect([path, (await get(path, admin)).status]).toEqual([path, 404])
  }
  for (const path of ['/graphiql', '/']) {
    const post = await send(gateway.adminUrl, { path, headers: admin })
    expect(post.status).toBe(405)
  }
  expect((await get('/graphiql', { authorization: 'Bearer <script>' })).text).not.toContain(
    '<script>a',
  )
})

test('the files of GraphiQL are compressed, and not sent twice', async () => {
  await using gateway = await startAdminGateway()
  const headers = { authorization: `Bearer ${gateway.token('admin')}` }
  const get = (more: Record<string, string> = {}) =>
    fetch(`${gateway.adminUrl}/graphiql/graphiql.js`, { headers: { ...headers, ...more } })
  const first = await get()
  expect(first.headers.get('content-encoding')).toBe('gzip')
  expect(first.headers.get('cache-control')).toContain('private')
  expect((await first.text()).length).toBeGreaterThan(1_000_000)
  expect(Number(first.headers.get('content-length'))).toBeLessThan(2_000_000)
  const second = await get({ 'if-none-match': first.headers.get('etag')! })
  expect(second.status).toBe(304)
})
