// Part of `npm run test:console`: what pages cost the browser of an operator under load, in counts.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

import { launchBrowser } from '../../admin/http/browser.ts'
import { type ConsolePage, openConsolePage } from '../console-page.ts'
import { navigation } from '../every-page.ts'
import { startSeededGateway } from '../gateway.ts'
import { type StandIn, startStandIn } from '../stand-in.ts'

let browser: Browser
let standIn: StandIn
beforeAll(async () => void (browser = await launchBrowser()))
beforeEach(async () => void (standIn = await startStandIn()))
afterEach(() => standIn[Symbol.asyncDispose]())
afterAll(() => browser.close())

const inFlight = 500
const perSecond = 1_000
const beatMs = 100
const sampleMs = 5_000
/** Heaps are measured over minutes: what leaks in seconds is lost in what the engine keeps. */
const seconds = Number(process.env['LOAD_SECONDS'] ?? 180)

const megabyte = 1024 * 1024

/** What a page holds after a collection. */
interface Cost {
  /** In its document. */
  readonly nodes: number
  /** In its document, and out of it but still referred to. */
  readonly heldNodes: number
  readonly listeners: number
  /** In megabytes. */
  readonly heap: number
}

async function costOf(page: Page, cdp: CDPSession): Promise<Cost> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { nodes: heldNodes, jsEventListeners: listeners } = await cdp.send('Memory.getDOMCounters')
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
  return { nodes, heldNodes, listeners, heap: usedSize / megabyte }
}

/** How much a cost grows in a minute, by the line through the second half of its samples. */
function growthOf(samples: readonly Cost[], read: (cost: Cost) => number): number {
  const half = samples.slice(Math.floor(samples.length / 2)).map(read)
  const middle = (half.length - 1) / 2
  const mean = half.reduce((sum, value) => sum + value, 0) / half.length
  const part = half.map((value, index) => (index - middle) * (value - mean))
  const spread = half.map((_, index) => (index - middle) ** 2)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return (sum(part) / sum(spread)) * (60_000 / sampleMs)
}

const callOf = (number: number) => ({
  id: `req_${number}`,
  model: `model-${number % 7}`,
  keyId: `key-${number % 5}`,
  accountId: `account-${number % 9}`,
})

/** The events of the calls from one number to another: each begins, and ends 500 calls later. */
function eventsBetween(from: number, to: number): object[] {
  const at = new Date().toISOString()
  const ended = (number: number) => ({
    ...callOf(number),
    startedAt: at,
    endedAt: at,
    status: number % 50 === 0 ? 503 : 200,
    end: 'COMPLETE',
    durationMs: 500,
  })
  return Array.from({ length: to - from }, (_, index) => from + index).flatMap((number) => [
    { __typename: 'ExchangeBegan', exchange: { ...callOf(number), startedAt: at, stream: true } },
    { __typename: 'ExchangeEnded', exchange: ended(number - inFlight) },
    ...(number % 50 === 0
      ? [
          { __typename: 'AccountChanged', accountId: `account-${number % 9}` },
          { __typename: 'CircuitChanged', accountId: `account-${number % 9}` },
        ]
      : []),
  ])
}

/** A page under load. */
interface Loaded {
  readonly path: string
  readonly opened: ConsolePage
  readonly cdp: CDPSession
  readonly samples: Cost[]
}

async function load(path: string): Promise<Loaded> {
  const opened = await openConsolePage(browser, standIn, { path })
  const cdp = await opened.page.context().newCDPSession(opened.page)
  await opened.page.evaluate(() => {
    const worst = { ms: 0 }
    Object.assign(globalThis, { worst })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) worst.ms = Math.max(worst.ms, duration)
    }).observe({ type: 'longtask' })
  })
  return { path, opened, cdp, samples: [] }
}

const livePaths = ['calls', 'calls?show=ended', 'overview', 'accounts', 'accounts/id-1', 'models']

test('1,000 calls a second with 500 in flight neither grow a page nor flood the gateway', async () => {
  let sent = inFlight
  standIn.answering.fields = {
    'Account.speaks': ['chat'],
    'Query.exchanges': () =>
      Array.from({ length: inFlight }, (_, index) => ({
        ...callOf(sent - inFlight + index),
        ageMs: 500 - index,
        attemptCount: 1,
        stream: true,
      })),
  }
  await using closing = new AsyncDisposableStack()
  const pages: Loaded[] = []
  for (const path of livePaths) {
    const one = await load(path)
    closing.use(one.opened)
    pages.push(one)
  }
  await expect.poll(() => standIn.streams()).toBe(pages.length)
  const asked = pages.map(({ opened }) => opened.operations.length)
  const rows = pages[0]!.opened.page.getByRole('table', { name: 'Calls in flight' })
  await expect.poll(() => rows.getAttribute('aria-rowcount')).toBe(String(inFlight + 1))

  const began = performance.now()
  const passed = () => performance.now() - began
  let sampled = 0
  while (passed() < seconds * 1_000) {
    const due = inFlight + Math.floor((passed() / 1_000) * perSecond)
    await standIn.push(eventsBetween(sent, due))
    sent = due
    if (passed() > (sampled + 1) * sampleMs) {
      sampled += 1
      for (const { opened, cdp, samples } of pages) samples.push(await costOf(opened.page, cdp))
    }
    await new Promise((resolve) => setTimeout(resolve, beatMs))
  }

  for (const [index, { path, opened, samples }] of pages.entries()) {
    const { page, operations, faults } = opened
    const worst = await page.evaluate(() => (globalThis as unknown as Worst).worst.ms)
    const operationCount = operations.length - asked[index]!
    const growth = growthOf(samples, ({ heap }) => heap)
    console.log(path, { operations: operationCount, worstTaskMs: worst, growth, ...samples.at(-1) })
    expect.soft(Math.max(...samples.map(({ nodes }) => nodes)), path).toBeLessThan(3_000)
    expect.soft(Math.max(...samples.map(({ heap }) => heap)), path).toBeLessThan(40)
    // And 0.3 MB that the engine keeps for a while.
    expect.soft(growth, path).toBeLessThan(0.2 + 0.3 / (seconds / 120))
    expect
      .soft(
        growthOf(samples, ({ listeners }) => listeners),
        path,
      )
      .toBeLessThan(20)
    expect
      .soft(
        growthOf(samples, ({ heldNodes }) => heldNodes),
        path,
      )
      .toBeLessThan(200)
    // One a second, and what a page asks on its own.
    expect.soft(operationCount, path).toBeLessThanOrEqual(seconds * 1.2 + 5)
    expect.soft(faults, path).toEqual([])
  }
  expect(await rows.getAttribute('aria-rowcount')).toBe(String(inFlight + 1))
  expect(standIn.streams()).toBe(pages.length)
})

interface Worst {
  readonly worst: { readonly ms: number }
}

test('the figures count all of 5,000 real calls, and 500 streams that stay in flight', async () => {
  await using seeded = await startSeededGateway()
  const end = new AbortController()
  const chat = (steer: string, stream: boolean) =>
    seeded.call({
      key: 'agents',
      body: { model: 'gpt-5.4-mini', stream, messages: [{ role: 'user', content: 'Hello' }] },
      steer,
      signal: end.signal,
    })
  const streams = await Promise.all(
    Array.from({ length: inFlight }, () => chat('words=9; stall=4', true)),
  )
  // A reply that is not read would be collected, and its connection closed.
  for (const stream of streams) void stream.text().catch(() => {})
  const until = performance.now() + 20_000
  let sent = 0
  const send = async () => {
    for (; sent < 5_000 && performance.now() < until;) {
      sent += 1
      await (await chat('words=1', false)).text()
    }
  }
  await Promise.all(Array.from({ length: 32 }, send))

  await using opened = await openConsolePage(browser, seeded.gateway, {
    role: 'viewer',
    path: 'overview',
  })
  const figure = (name: string) => opened.page.locator('.figure', { hasText: name }).first()
  const shown = async () => {
    const [, count = ''] =
      /([\d,]+) calls? in the last minute/.exec(await figure('Calls').innerText()) ?? []
    return Number(count.replace(',', ''))
  }
  // And those of the last minute with which the gateway was seeded.
  await expect.poll(shown, { timeout: 15_000 }).toBeGreaterThanOrEqual(sent)
  expect(await shown()).toBeLessThan(sent + 60)
  await figure('In flight')
    .getByText(String(inFlight + 1), { exact: true })
    .waitFor()
  end.abort()
})

/** They ask for all that there is; the others, for a page of a hundred at most. */
const whole = new Set(['accounts', 'calls'])

/** The lists of the Playground are proposals in its fields: of each, the first page. */
const listed = navigation
  .filter(({ name }) => name !== 'Playground')
  .map(({ name, path }) => ({ name, path, rows: whole.has(path) ? 10_000 : 2_000 }))

test.each(listed)('$name with $rows rows stays small', async ({ path, rows }) => {
  standIn.answering.rows = rows
  await using opened = await openConsolePage(browser, standIn, { path })
  const { page } = opened
  const { nodes, heap } = await costOf(page, await page.context().newCDPSession(page))
  expect(nodes).toBeLessThan(3_000)
  expect(heap).toBeLessThan(60)
})

test('a hidden page closes its stream after a minute, asks nothing, and catches up when it is shown', async () => {
  await using opened = await openConsolePage(browser, standIn, { path: '', waits: false })
  const { page } = opened
  await page.clock.install()
  await opened.go('accounts')
  await expect.poll(() => standIn.streams()).toBe(1)
  const hide = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
      const visibilityState = hidden ? 'hidden' : 'visible'
      Object.defineProperty(document, 'visibilityState', {
        configurable: true,
        get: () => visibilityState,
      })
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    }, isHidden)
  await hide(true)
  await page.clock.runFor(61_000)
  await expect.poll(() => standIn.streams()).toBe(0)
  const asked = standIn.operations.length
  await page.clock.fastForward(3_600_000)
  await page.clock.runFor(10_000)
  expect(standIn.operations.slice(asked)).toEqual([])
  await hide(false)
  await page.clock.runFor(2_000)
  await expect.poll(() => standIn.streams()).toBe(1)
  await expect.poll(() => standIn.operations.length - asked).toBeGreaterThan(1)
})

test('a page that is open for a day does not grow', async () => {
  await using opened = await openConsolePage(browser, standIn, { path: '', waits: false })
  const { page } = opened
  await page.clock.install()
  await opened.go('calls')
  await expect.poll(() => standIn.streams()).toBe(1)
  const cdp = await page.context().newCDPSession(page)
  const samples: Cost[] = []
  let sent = inFlight
  for (let hour = 0; hour < 24; hour++) {
    for (let minute = 0; minute < 4; minute++) {
      await standIn.push(eventsBetween(sent, sent + 250))
      sent += 250
      await page.clock.runFor(1_000)
    }
    await page.clock.fastForward(3_596_000)
    samples.push(await costOf(page, cdp))
  }
  console.log('a day', samples[2], samples.at(-1))
  expect(samples.at(-1)!.heap - samples[2]!.heap).toBeLessThan(3)
  expect(samples.at(-1)!.nodes).toBeLessThan(3_000)
  expect(opened.faults).toEqual([])
})
