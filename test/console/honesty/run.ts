// Part of `npm run test:console`: what every page says while answers are refused, slow, partial, empty, unknown or gone.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { until } from '../../../src/testing/until.ts'
import { launchBrowser } from '../../admin/http/browser.ts'
import { type ConsolePage, openConsolePage } from '../console-page.ts'
import { type PageRow, navigation } from '../every-page.ts'
import { type Answering, type StandIn, startStandIn } from '../stand-in.ts'

let browser: Browser
beforeAll(async () => void (browser = await launchBrowser()))
afterAll(() => browser.close())

/** A page with its own stand-in. */
interface Shown extends AsyncDisposable {
  readonly standIn: StandIn
  readonly opened: ConsolePage
  readonly page: ConsolePage['page']
}

/** Opens a page of a stand-in that answers so. */
async function show(path: string, answering: Partial<Answering>, waits = true): Promise<Shown> {
  await using opening = new AsyncDisposableStack()
  const fields = { ...sameIds, ...answering.fields }
  const standIn = opening.use(await startStandIn({ ...answering, fields }))
  const opened = opening.use(await openConsolePage(browser, standIn, { path, waits }))
  await opened.page.locator('h1').waitFor()
  const all = opening.move()
  return {
    standIn,
    opened,
    page: opened.page,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** What one answer says of the id that another has. */
const sameIds = {
  'Account.speaks': ['chat'],
  'Key.stateReason': 'an operator disabled it',
  'RouteCandidate.accountId': 'id-0',
  'UsageRow.team': 'id-0',
}

/** Pages with each of their operations; the stand-in has these ids. */
const pages: readonly PageRow[] = [
  ...navigation.filter(({ name }) => name !== 'Explain'),
  { name: 'Calls', path: 'calls?show=ended' },
  { name: 'Calls', path: 'calls?open=req_1' },
  { name: 'Explain', path: 'explain?keyId=id-0&dialect=chat&model=name' },
  { name: 'Bindings', path: 'bindings?id=resp_1&keyId=id-0' },
  { name: 'Jobs', path: 'jobs?id=id-0' },
  { name: 'Models', path: 'models?open=name_0' },
  { name: 'Teams', path: 'teams?team=id-0' },
  { name: 'id-0', path: 'accounts/id-0' },
  { name: 'req_1', path: 'calls/req_1' },
  { name: 'id-0', path: 'keys/id-0' },
]

/** They ask nothing before their user does. */
const asksNothing: readonly PageRow[] = navigation.filter(({ name }) => name === 'Explain')

/** What lists say only after a complete answer. */
async function claimsOf({ page }: Shown): Promise<string[]> {
  const texts = await page
    .locator('main .empty strong, [role="dialog"] .empty strong')
    .allInnerTexts()
  return texts.filter((text) => !prompts.has(text))
}

/** What pages say to their users before they ask anything. */
const prompts: ReadonlySet<string> = new Set(['Which request?', 'No call yet'])

/** The texts of the page and of the dialog over it. */
async function wordsOf({ page }: Shown): Promise<string> {
  return (await page.locator('main, [role="dialog"]').allInnerTexts()).join('\n')
}

/** Makes the page ask again for all that it shows, as it does when its window is looked at again. */
async function askAgain({ page, standIn }: Shown): Promise<void> {
  const asked = standIn.operations.length
  await page.evaluate(() =>
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
  )
  await until(() => standIn.operations.length > asked)
}

const refusal = { status: 503, code: 'STORE_UNAVAILABLE', message: 'The store cannot answer.' }

describe.concurrent.each(pages)('$path', ({ path }) => {
  test('claims nothing before an answer comes', async () => {
    await using shown = await show(path, { delayMs: Infinity }, false)
    await until(() => shown.standIn.operations.length > 0)
    expect(await claimsOf(shown)).toEqual([])
    expect(zerosIn(await wordsOf(shown))).toEqual([])
  })

  test('says that its query is refused, claims nothing, and shows the answer that comes later', async () => {
    await using shown = await show(path, { refusal })
    const { page, standIn } = shown
    const refused = page.locator('main, [role="dialog"]').getByText(refusal.message)
    await refused.first().waitFor()
    expect(await claimsOf(shown)).toEqual([])
    expect(zerosIn(await wordsOf(shown))).toEqual([])
    standIn.answering.refusal = undefined
    await askAgain(shown)
    await until(async () => (await refused.count()) === 0)
  })

  test('keeps an answer under a later error, and says of when it is', async () => {
    await using shown = await show(path, {})
    const { page, standIn } = shown
    const rows = page.locator('main tbody tr')
    const before = await rows.count()
    standIn.answering.refusal = refusal
    await askAgain(shown)
    await page
      .getByText(/The store cannot answer\. What is shown is of \d\d:\d\d:\d\d\./)
      .first()
      .waitFor()
    expect(await rows.count()).toBe(before)
  })

  test('does not say that a list is empty after an error', async () => {
    await using shown = await show(path, { rows: 0 })
    shown.standIn.answering.refusal = refusal
    await askAgain(shown)
    await shown.page.getByText(refusal.message).first().waitFor()
    await until(async () => (await claimsOf(shown)).length === 0)
  })

  test('names each part that an answer lacks, and says of no list that it is empty', async () => {
    await using shown = await show(path, { rows: 0, lacks: 'incomplete' })
    expect(await claimsOf(shown)).toEqual([])
    const words = await wordsOf(shown)
    const unnamed = [...shown.standIn.lacked].filter((lack) => !words.includes(lack))
    expect(unnamed.filter((lack) => !unshown.some((name) => lack.startsWith(name)))).toEqual([])
  })

  // Whether there are newer calls, and how many are in flight beside the calls that ended.
  const unshown = path === 'calls?show=ended' ? ['CallsInFlight ', 'CallsNewer '] : []

  test('names each field that cannot be answered, and shows nothing in its place', async () => {
    await using shown = await show(path, { isUnknown: true, lacks: 'errors' })
    expect(await claimsOf(shown)).toEqual([])
    const words = await wordsOf(shown)
    expect([...shown.standIn.lacked].filter((lack) => !words.includes(lack))).toEqual([])
    expect(zerosIn(words)).toEqual([])
  })

  test('shows what is unknown as unknown, never as 0', async () => {
    await using shown = await show(path, { isUnknown: true, rows: 1 })
    expect(zerosIn(await wordsOf(shown))).toEqual([])
    expect(await claimsOf(shown)).toEqual([])
  })

  test('shows no cost of 0 where no price is known', async () => {
    const fields = { 'UsageRow.cost': '0', 'UsageRow.unpricedCalls': 7 }
    await using shown = await show(path, { isUnknown: true, rows: 1, fields })
    expect(zerosIn(await wordsOf(shown))).toEqual([])
  })

  test('hides what it shows when the session ends, and keeps its address', async () => {
    await using shown = await show(path, {})
    const { page, standIn } = shown
    const url = page.url()
    standIn.answering.signedIn = false
    await askAgain(shown)
    await page.getByLabel('Admin token', { exact: true }).waitFor()
    expect(await page.locator('main tbody tr').count()).toBe(0)
    expect(page.url()).toBe(url)
  })

  test('offers to reload when the gateway has another version', async () => {
    const code = 'PERSISTED_QUERY_NOT_FOUND'
    await using shown = await show(path, { refusal: { status: 400, code, message: 'Not known.' } })
    await shown.page.getByRole('button', { name: 'Reload', exact: true }).first().waitFor()
  })
})

/** Filters with the number of their rows: a state that the counts do not name has none. */
const rowCounts = /^(?:In trouble|Not served now|Disabled|Expired|Revoked|Damaged) 0$/

/** Lines with a number of 0 that the stand-in has not sent, but for counts of rows. */
function zerosIn(words: string): string[] {
  return words
    .split('\n')
    .filter((line) => /(?<![\w.,:+/-])\$?0(?:\.0+)?(?![\w:.-]|,\d)/.test(line))
    .filter((line) => !rowCounts.test(line))
}

test.each(asksNothing)('$name asks nothing before its user does', async ({ path }) => {
  await using shown = await show(path, {})
  expect(shown.standIn.operations).toEqual([])
})

/** The pages that follow the gateway. */
const livePaths = [
  'overview',
  'calls',
  'calls?show=ended',
  'accounts',
  'accounts/id-0',
  'models',
  'jobs',
]

describe.concurrent.each(livePaths)('%s', (path) => {
  test('asks again, or offers to, after events were missed and after the stream was lost', async () => {
    await using shown = await show(path, {})
    const { page, standIn } = shown
    const newer = page.getByRole('button', { name: /newer, show$/ })
    const reacts = (asked: number) => async () =>
      (await newer.count()) > 0 ||
      standIn.operations.slice(asked).some((name) => !/Live$|^Changes$/.test(name))
    await until(() => standIn.streams() === 1)
    await settled(shown)
    await newer.click({ timeout: 100 }).catch(() => {})
    await settled(shown)
    const asked = standIn.operations.length
    await standIn.push([{ __typename: 'Missed', count: 3 }])
    // Sooner than the page asks by itself.
    await until(reacts(asked), 2_500)
    await newer.click({ timeout: 100 }).catch(() => {})

    standIn.answering.refusal = refusal
    standIn.dropStreams()
    await page
      .getByRole('status')
      .getByText(/since \d\d:\d\d:\d\d/)
      .waitFor()
    const askedAway = standIn.operations.length
    standIn.answering.refusal = undefined
    await until(() => standIn.streams() === 1, 12_000)
    await until(reacts(askedAway), 2_500)
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
  })
})

/** Waits until the page has asked nothing for a second. */
async function settled({ standIn, page }: Shown): Promise<void> {
  for (let before = -1; before !== standIn.operations.length;) {
    before = standIn.operations.length
    await page.waitForTimeout(1_000)
  }
}

test('a team whose usage lacks a part has used an unknown amount, not none', async () => {
  const fields = { 'UsageRow.team': 'another' }
  await using shown = await show('teams', { lacks: 'incomplete', isUnknown: true, fields })
  expect(zerosIn(await wordsOf(shown))).toEqual([])
})

test.each(['overview', 'configuration'])(
  '%s names a store that does not answer, and processes that do not report, whose figures are unknown',
  async (path) => {
    const away = { 'StoreState.reachable': false, 'Process.stale': true }
    const partly = { 'Gateway.processesComplete': false, 'Process.stale': true }
    for (const [fields, words] of [
      [away, /does not answer/],
      [partly, /There may be (?:more )?processes/],
    ] as const) {
      await using shown = await show(path, { isUnknown: true, fields })
      expect(await wordsOf(shown)).toMatch(words)
      const cells = shown.page.getByRole('table', { name: 'Processes' }).locator('td.number')
      expect(await cells.allInnerTexts()).toContain('–')
      expect(zerosIn(await wordsOf(shown))).toEqual([])
    }
  },
)

test('a list of several pages lacks what any of its pages lacks', async () => {
  await using shown = await show('jobs', { rows: 0 })
  const { answering } = shown.standIn
  let isSecond = true
  answering.fields = {
    'PageInfo.endCursor': 'next',
    'PageInfo.hasNextPage': () => {
      isSecond = !isSecond
      answering.lacks = isSecond ? 'nothing' : 'incomplete'
      return !isSecond
    },
  }
  await shown.opened.visit('accounts')
  await shown.page.getByText('Accounts lacks accounts.').waitFor()
  expect(await claimsOf(shown)).toEqual([])
})

test('the number of calls in flight is not shown where processes have not answered', async () => {
  await using shown = await show('calls?show=ended', { lacks: 'incomplete' })
  await shown.page.getByRole('button', { name: 'In flight', exact: true }).waitFor()
})

/** Choices that change what a page asks for. */
const choices = [
  ['calls?show=ended', 'calls?show=ended&outcome=BROKEN'],
  ['models', 'models?search=x'],
  ['bindings', 'bindings?keyId=x'],
  ['jobs', 'jobs?keyId=x'],
  ['keys', 'keys?team=x'],
  ['usage', 'usage?by=TEAM'],
  ['prices', 'prices?show=unpriced'],
  ['audit', 'audit?actor=x'],
  ['configuration', 'configuration?section=keys'],
] as const

test.concurrent.each(choices)(
  '%s says that it still shows the choice before, if the answer of another takes long',
  async (path, other) => {
    await using shown = await show(path, {})
    shown.standIn.answering.delayMs = Infinity
    await shown.opened.visit(other, { waits: false })
    await shown.page.getByText('What is shown is of the choice before.').waitFor()
    expect(await claimsOf(shown)).toEqual([])
  },
)
