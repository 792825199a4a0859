import { expect, test } from 'vitest'

import { startAdminGateway } from '../admin-gateway.ts'
import { openingQueries } from '../../../src/admin/http/graphiql-queries.ts'
import { startBrowser } from './browser.ts'

const query = '{ viewer { role } }'

test(
  'an admin signs in with a browser, asks with GraphiQL and signs out, without any other host',
  { timeout: 120_000 },
  async () => {
    await using gateway = await startAdminGateway()
    await using browser = await startBrowser(gateway.adminUrl)
    const { page, faults } = browser
    await page.goto(`${gateway.adminUrl}/graphiql`)
    expect(page.url()).toBe(`${gateway.adminUrl}/graphiql`)
    await page.getByText('dragoman admin-tokens create').waitFor()
    await page.getByLabel('Admin token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('The token is wrong, expired or revoked').waitFor()
    await page.getByLabel('Admin token').fill(gateway.token('admin'))
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.locator('.graphiql-execute-button').waitFor({ timeout: 60_000 })
    expect(await page.context().cookies()).toMatchObject([
      { name: 'dragoman_graphiql', httpOnly: true, sameSite: 'Strict' },
    ])
    // GraphiQL reads the schema, to complete and check what is typed.
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
    await page.getByText('A GraphQL schema provides').waitFor()
    const address = `${gateway.adminUrl}/graphiql?query=${encodeURIComponent(query)}`
    await page.goto(address)
    await page.locator('.graphiql-execute-button').click()
    await expect
      .poll(() => page.locator('.graphiql-response').innerText(), { timeout: 20_000 })
      .toContain('"ADMIN"')

    const signOut = page.getByRole('button', { name: 'Sign out' })
    const { y, height } = (await signOut.boundingBox())!
    const tools = (await page.locator('.graphiql-main').boundingBox())!
    // The bar and GraphiQL share the window.
    expect(y + height).toBeLessThanOrEqual(tools.y)
    expect(tools.y + tools.height).toBeLessThanOrEqual(page.viewportSize()!.height)
    await signOut.click()
    await page.getByLabel('Admin token').waitFor()
    expect(await page.context().cookies()).toEqual([])
    expect(faults).toEqual([])
  },
)

test(
  'a viewer who signs in with a browser reads what the role can use, and signs out',
  { timeout: 120_000 },
  async () => {
    await using gateway = await startAdminGateway()
    await using browser = await startBrowser(gateway.adminUrl)
    const { page, faults } = browser
    await page.goto(`${gateway.adminUrl}/graphiql`)
    for (const role of ['viewer', 'operator'] as const) {
      await page.getByLabel('Admin token').fill(gateway.token(role))
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(`You are signed in as ${role}, with the role ${role}`).waitFor()
      const shown = await page.locator('body').innerText()
      expect(shown).toContain(`curl -s ${gateway.adminUrl}/graphql`)
      expect(shown).toContain(`dragoman accounts list --url ${gateway.adminUrl}`)
      expect(shown).not.toContain(gateway.token(role))
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByLabel('Admin token').waitFor()
      expect(await page.context().cookies()).toEqual([])
    }
    expect(faults).toEqual([])
  },
)

test(
  'GraphiQL opens with the queries in tabs, and shows all events of a subscription',
  { timeout: 120_000 },
  async () => {
    await using gateway = await startAdminGateway()
    await using browser = await startBrowser(gateway.adminUrl)
    const { page, faults } = browser
    await page.goto(`${gateway.adminUrl}/graphiql`)
    await page.getByLabel('Admin token').fill(gateway.token('admin'))
    await page.getByRole('button', { name: 'Sign in' }).click()
    const run = page.locator('.graphiql-execute-button')
    await run.waitFor({ timeout: 60_000 })
    const tabs = page.getByRole('tab')
    expect(await tabs.allInnerTexts()).toEqual(
      openingQueries.map((document) => /(?:query|subscription) (\w+)/.exec(document)![1]),
    )
    await tabs.filter({ hasText: 'Live' }).click()
    await run.click()
    const shown = () => page.locator('.graphiql-response').innerText()
    const act = () =>
      gateway.graph('mutation { revokeKey(input: { id: "none", reason: "x" }) { __typename } }')
    // Each act is an event: they are all there, in the order in which they came.
    await expect
      .poll(
        async () => {
          await act()
          return /"count": (\d+)/.exec((await shown()).replaceAll('\u00a0', ' '))?.[1] ?? '0'
        },
        { timeout: 20_000 },
      )
      .toMatch(/^[3-9]|\d\d/)
    const text = (await shown()).replaceAll('\u00a0', ' ')
    // The editor has only the lines in view.
    expect(text.match(/AuditRecorded/g)!.length).toBeGreaterThan(1)
    await run.click()
    expect(faults).toEqual([])
  },
)
