import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from './fixture.ts'
import { changeAnswer } from './pages/answers.ts'

let fixture: Fixture

beforeAll(async () => void (fixture = await startFixture()), 60_000)

afterAll(() => fixture[Symbol.asyncDispose]())

test('the palette goes to pages, accounts and ids; keys go to pages, and can be switched off', async () => {
  await using opened = await fixture.open({ role: 'viewer' })
  const { page } = opened
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await palette.getByRole('option', { name: 'gemini-night' }).waitFor()
  await page.keyboard.type('night')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'gemini-night' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(fixture.seen.retriedId)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/console/calls/${fixture.seen.retriedId}`)

  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard' })
  await keys.getByRole('checkbox', { name: 'Keys without Ctrl are on' }).uncheck()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  expect(page.url()).toMatch(/\/console\/accounts$/)
})

test('the palette of a gateway with more names than it knows leads to a name that is typed', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('studio')
  await palette.getByRole('option', { name: 'studio' }).waitFor()
  await page.keyboard.type('-2')
  await palette.getByText('Nothing of this name.').waitFor()
  await page.keyboard.press('Escape')

  await changeAnswer(page, 'Palette', (data) => {
    data.accounts.edges = data.accounts.edges.slice(0, 2)
    data.accounts.pageInfo.hasNextPage = true
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('studio')
  await palette.getByRole('option', { name: 'studio Account, if there' }).click()
  await page.getByRole('heading', { level: 1, name: 'studio' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('a chosen theme stays, and a phone has the pages behind a button', async () => {
  await using opened = await fixture.open({ role: 'viewer', width: 390, height: 844 })
  const { page } = opened
  const theme = () => page.evaluate(() => document.documentElement.dataset['theme'])
  expect(await theme()).toBeUndefined()
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('button', { name: 'Dark' }).click()
  expect(await theme()).toBe('dark')
  await page.reload()
  expect(await theme()).toBe('dark')
  await page.getByRole('button', { name: 'Pages' }).click()
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  expect(await page.getByRole('link', { name: 'Models', exact: true }).count()).toBe(0)
})

test('a hidden page stops following after a minute, and catches up when it is shown again', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'explain' })
  const { page } = opened
  // This page follows nothing: the stream of the next one is the first.
  await page.clock.install()
  const streams: string[] = []
  page.on('request', (request) => {
    if (request.headers()['accept'] === 'text/event-stream') streams.push(request.url())
  })
  const live = page.getByRole('status').getByText('Live', { exact: true })
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await live.waitFor()
  const followed = streams.length
  const show = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      const state = hidden ? 'hidden' : 'visible'
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await show(true)
  await page.clock.fastForward(61_000)
  await live.waitFor({ state: 'detached' })
  const asked = () => opened.operations.filter((name) => name === 'Accounts').length
  const before = asked()
  await page.clock.fastForward(600_000)
  expect([streams.length, asked()]).toEqual([followed, before])
  await show(false)
  await live.waitFor()
  await expect.poll(asked).toBeGreaterThan(before)
  expect(streams.length).toBe(followed + 1)
})

test('the last minute of a session that is not used counts down, and an act prolongs it', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  const idleUntil = new Date(Date.now() + 45_000).toISOString()
  let isLast = true
  await page.route('**/session', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as object
    await route.fulfill({ response: answer, json: isLast ? { ...body, idleUntil } : body })
  })
  await opened.go('jobs')
  await page.getByText(/This session ends in 4\d s, since nobody uses it\./).waitFor()
  isLast = false
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByText('This session ends').waitFor({ state: 'detached' })
})

test('a page that lost the gateway says since when, and follows again by itself', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'jobs' })
  const { page } = opened
  let isAway = true
  await page.route('**/graphql', (route) =>
    isAway ? route.abort('connectionrefused') : route.continue(),
  )
  await page.getByRole('link', { name: 'Accounts', exact: true }).click()
  await page
    .getByRole('status')
    .getByText(/since \d\d:\d\d:\d\d/)
    .waitFor()
  isAway = false
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor({ timeout: 12_000 })
})

test('a page asks again once the gateway follows for it: what changed between is in neither', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'accounts' })
  const { page } = opened
  await page.getByRole('status').getByText('Live', { exact: true }).first().waitFor()
  const asked = () => opened.operations.filter((name) => name === 'Accounts').length
  // Its own clock asks after 5 s.
  await expect.poll(asked, { timeout: 3_000 }).toBeGreaterThan(1)
})

test('a time says its UTC to the focus, also of a row, and copies itself as ISO', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'calls?show=ended' })
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const row = page.getByRole('table', { name: 'Calls that ended' }).locator('tbody tr').first()
  await row.waitFor()
  await page.locator('h1').click()
  await page.keyboard.press('j')
  const tip = page.locator('.time-tip')
  expect(await tip.innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC$/)
  await page.keyboard.press('Escape')
  expect(await tip.count()).toBe(0)
  const iso = await row.locator('time').first().getAttribute('datetime')
  await row.locator('.time').first().click()
  await page.getByText(`Copied ${iso}`).first().waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(iso)
  // The row is not opened by it.
  expect(page.url()).not.toContain('open=')
})
