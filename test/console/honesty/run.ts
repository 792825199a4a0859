// Part of `npm run test:console`: what the pages say while answers are refused, slow, partial, empty or gone.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser } from '../../admin/http/browser.ts'
import { openConsolePage } from '../console-page.ts'
import { navigation } from '../every-page.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'

let browser: Browser
let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn()
  browser = await launchBrowser()
})
beforeEach(() => standIn.reset())
afterAll(async () => {
  await browser.close()
  await standIn[Symbol.asyncDispose]()
})

/** What lists say only after a complete answer. */
const claim = '.empty'

test.each(navigation)('$name claims nothing before an answer comes', async ({ path, name }) => {
  standIn.answering.delayMs = Infinity
  await using opened = await openConsolePage(browser, standIn, { path, waits: false })
  await opened.page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await opened.page.locator(claim).allInnerTexts()).toEqual(prompts[name] ?? [])
  expect(await opened.axe()).toEqual([])
})

test.each(navigation)(
  '$name says that its query is refused, and claims nothing',
  async ({ path, name }) => {
    standIn.answering.refusal = refusal
    await using opened = await openConsolePage(browser, standIn, { path, waits: false })
    const { page } = opened
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect.poll(() => standIn.operations.length > 0 || asksNothing.has(name)).toBe(true)
    if (standIn.operations.length > 0)
      await page.locator('main').getByText(refusal.message).first().waitFor()
    expect(await page.locator(claim).allInnerTexts()).toEqual(prompts[name] ?? [])
    expect(await opened.axe()).toEqual([])
  },
)

const refusal = { status: 503, code: 'STORE_UNAVAILABLE', message: 'The store cannot answer.' }

/** What pages say to their users before they ask anything. */
const prompts: Readonly<Record<string, readonly string[]>> = {
  Explain: [expect.stringContaining('Which request?')],
  Playground: [expect.any(String)],
}

/** They ask nothing before their user does. */
const asksNothing = new Set(['Explain', 'Bindings', 'Playground'])

test.each(navigation)('$name is accessible with answers that are empty', async ({ path, name }) => {
  standIn.answering.rows = 0
  await using opened = await openConsolePage(browser, standIn, { path })
  await opened.page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await opened.axe()).toEqual([])
})

test('a partial answer says what it lacks, and an answer stays under a later error', async () => {
  standIn.answering.extensions = {
    incomplete: [{ field: 'accounts', reason: 'Two processes have not answered.' }],
  }
  await using opened = await openConsolePage(browser, standIn, { path: 'accounts' })
  const { page } = opened
  await page.getByText('Two processes have not answered.').waitFor()
  await page.getByText('id-1').first().waitFor()
  standIn.answering.refusal = refusal
  await standIn.push([accountChanged])
  await page.locator('main').getByText(refusal.message).first().waitFor()
  expect(await page.getByText('id-1').count()).toBeGreaterThan(0)
  standIn.answering.refusal = undefined
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('main').getByText(refusal.message).first().waitFor({ state: 'detached' })
})

const accountChanged = { __typename: 'AccountChanged', accountId: 'id-1' }

test('a session that ends locks the page in place, and hides its data', async () => {
  await using opened = await openConsolePage(browser, standIn, { path: 'accounts' })
  const { page } = opened
  await page.getByText('id-1').first().waitFor()
  standIn.answering.signedIn = false
  await standIn.push([accountChanged])
  await page.getByLabel('Admin token').waitFor()
  expect(await page.locator('body').innerText()).not.toContain('id-1')
  expect(page.url()).toBe(`${standIn.adminUrl}/console/accounts`)
  standIn.answering.signedIn = true
  await page.getByLabel('Admin token').fill('dga_again')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('id-1').first().waitFor()
  expect(page.url()).toBe(`${standIn.adminUrl}/console/accounts`)
})

test('a page of a former build offers to reload', async () => {
  await using opened = await openConsolePage(browser, standIn, { path: 'accounts' })
  const { page } = opened
  standIn.answering.refusal = {
    status: 400,
    code: 'PERSISTED_QUERY_NOT_FOUND',
    message: 'The gateway does not know this operation.',
  }
  await standIn.push([accountChanged])
  await page.getByRole('button', { name: 'Reload' }).first().waitFor()
})
