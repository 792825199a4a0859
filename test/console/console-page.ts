import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import type { Role } from '../../src/admin/roles.ts'
import { watchPage } from '../admin/http/browser.ts'

/** How a page of the console is shown. */
export interface View {
  /** Absent: the page has no session. */
  readonly role?: Role
  /** Below `/console/`. Default: the Overview. */
  readonly path?: string
  readonly theme?: 'light' | 'dark'
  /** In CSS pixels. */
  readonly width?: number
  readonly height?: number
  readonly forcedColors?: boolean
  readonly reducedMotion?: boolean
  /** Default: UTC. */
  readonly timezoneId?: string
  /** Whether to wait until the page is loaded. Default: true. */
  readonly waits?: boolean
  /** Whether `texts` has the streams that the page reads, too: they stay in its memory until then. */
  readonly keepsStreams?: boolean
}

/** What serves the console. */
export interface ConsoleAddress {
  readonly adminUrl: string
  /** The secret of the token of a role. Absent: everybody is signed in. */
  token?(role: Role): string
}

/** A page of the console in a browser, with its own cookies and storage. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page
  /** Requests to other hosts, violations of the policy, errors of scripts and of the browser's console, failed requests. */
  readonly faults: string[]
  /** The names of the operations that the page has sent. */
  readonly operations: readonly string[]
  /** Opens a path below `/console/` and waits until it is loaded. */
  go(path: string): Promise<void>
  /** Goes to a path as a link does, without loading the console again. */
  visit(path: string, options?: { readonly waits?: boolean }): Promise<void>
  /** The findings of axe, each in a line. */
  axe(): Promise<readonly string[]>
  /** All texts that the page has in its document, its storage and its answers since it was asked last. */
  texts(): Promise<string>
}

const axeScript = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Opens a page of the console of a gateway. */
export async function openConsolePage(
  browser: Browser,
  gateway: ConsoleAddress,
  view: View = {},
): Promise<ConsolePage> {
  const { role, path = '', theme = 'light', width = 1280, height = 800 } = view
  const base = `${gateway.adminUrl}/console/`
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    hasTouch: width < 600,
    locale: 'en-GB',
    timezoneId: view.timezoneId ?? 'UTC',
    forcedColors: view.forcedColors ? 'active' : 'none',
    reducedMotion: view.reducedMotion ? 'reduce' : 'no-preference',
  })
  await using opening = new AsyncDisposableStack()
  opening.defer(() => closeContext(context))
  if (role !== undefined && gateway.token) {
    const answer = await context.request.post(`${gateway.adminUrl}/session`, {
      headers: { 'x-dragoman-console': '1' },
      data: { token: gateway.token(role) },
    })
    if (!answer.ok()) throw new Error(`Sign-in answered ${answer.status()}: ${await answer.text()}`)
  }
  const page = await context.newPage()
  if (view.keepsStreams) await page.addInitScript(keepStreams)
  // Shorter than the timeout of tests, so that a failure names its locator.
  page.setDefaultTimeout(12_000)
  const faults = await watchPage(page, gateway.adminUrl)
  const operations: string[] = []
  const answers: Promise<string>[] = []
  page.on('console', (message) => {
    if (message.type() === 'error')
      faults.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('requestfailed', (request) => {
    const { errorText = '' } = request.failure() ?? {}
    // A page that is left ends what it has asked for.
    if (errorText !== 'net::ERR_ABORTED') faults.push(`${request.url()}: ${errorText}`)
  })
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/graphql'))
      operations.push(nameOf(request.postData() ?? ''))
  })
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? ''
    if (/json|html/.test(type)) answers.push(response.text().catch(() => ''))
  })
  const loaded = () =>
    page.waitForFunction(() => !document.querySelector('.bars, [aria-busy="true"]'))
  const go = async (to: string) => {
    await page.goto(base + to)
    await page.locator('h1').waitFor()
    await loaded()
  }
  if (view.waits ?? true) await go(path)
  else await page.goto(base + path)
  const opened = opening.move()
  return {
    page,
    faults,
    operations,
    go,
    async visit(to, { waits = true } = {}) {
      await page.evaluate(goTo, new URL(base + to).href)
      if (waits) await loaded()
    },
    axe: () => findingsOf(page),
    async texts() {
      const stored = await page.evaluate(() => {
        const { streamed = [] } = globalThis as unknown as Streamed
        const kept = [localStorage, sessionStorage, document.cookie, location.href]
        return JSON.stringify([...kept, streamed.splice(0).join('')])
      })
      return [await page.content(), stored, ...(await Promise.all(answers.splice(0)))].join('\n')
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** In milliseconds. */
const longestCloseMs = 10_000

/** Closes the pages of a context. Rejects if the browser does not: it loses a close that meets the commit of a navigation. */
async function closeContext(context: BrowserContext): Promise<void> {
  const urls = context.pages().map((page) => page.url())
  const { promise: late, reject } = Promise.withResolvers<never>()
  const error = new Error(`The browser does not close ${urls.join(', ')}.`)
  const timer = setTimeout(() => reject(error), longestCloseMs)
  await Promise.race([context.close(), late]).finally(() => clearTimeout(timer))
}

/** What `keepStreams` has kept. */
interface Streamed {
  readonly streamed?: string[]
}

/** Keeps the texts of the streams that a page reads: a browser has no text of a response that has not ended. */
function keepStreams(): void {
  const streamed: string[] = []
  Object.assign(globalThis, { streamed })
  const { fetch } = globalThis
  globalThis.fetch = async (...sent) => {
    const response = await fetch(...sent)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!isStream || !response.body) return response
    const [read, kept] = response.body.tee()
    const texts = kept.pipeThrough(new TextDecoderStream())
    void texts
      .pipeTo(new WritableStream({ write: (text) => void streamed.push(text) }))
      .catch(() => {})
    return new Response(read, response)
  }
}

/** Goes to an address in the page, and waits until it is drawn. */
async function goTo(href: string): Promise<void> {
  const { pathname, search } = new URL(href)
  const { __TSR_ROUTER__: router } = globalThis as unknown as {
    readonly __TSR_ROUTER__: { navigate(to: { readonly href: string }): Promise<void> }
  }
  await router.navigate({ href: pathname + search })
  for (let frame = 0; frame < 2; frame++)
    await new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))
}

function nameOf(body: string): string {
  try {
    const { operationName = 'unnamed' } = JSON.parse(body) as { operationName?: string }
    return operationName
  } catch {
    return 'unreadable'
  }
}

/** The rules of WCAG 2.2 at the levels A and AA. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function findingsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeScript)
  return await page.evaluate(async (values) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run(document, {
      runOnly: { type: 'tag', values },
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  }, tags)
}

/** The part of `axe-core` that pages use. */
interface Axe {
  run(
    document: unknown,
    options: object,
  ): Promise<{
    readonly violations: readonly {
      readonly id: string
      readonly nodes: readonly {
        readonly target: readonly string[]
        readonly failureSummary: string
      }[]
    }[]
  }>
}
