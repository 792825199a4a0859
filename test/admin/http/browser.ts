import { accessSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { type Browser, type Page, chromium } from 'playwright-core'

/** A browser without windows, and what went wrong on its pages. */
export interface TestBrowser extends AsyncDisposable {
  readonly page: Page
  /** Requests to other hosts, violations of the content security policy, and errors of scripts. */
  readonly faults: readonly string[]
}

/** The browser of the distribution, or Playwright's own. A missing one is a failure: the pages would go untested. */
function executablePath(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const candidates = (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((directory) => names.map((name) => join(directory, name)))
    .concat(chromium.executablePath())
  const found = candidates.find((path) => {
    try {
      accessSync(path)
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error('No chromium is in the path.')
  return found
}

/** Starts a browser without windows. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: executablePath(),
    // Chromium's sandbox does not work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}

/** Starts a browser that notes each request to another address than `base`. */
export async function startBrowser(base: string): Promise<TestBrowser> {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  const faults = await watchPage(page, base)
  return { page, faults, [Symbol.asyncDispose]: () => browser.close() }
}

/** Notes what `TestBrowser.faults` has. */
export async function watchPage(page: Page, base: string): Promise<string[]> {
  const faults: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    const isLocal = ['data:', 'blob:'].includes(url.protocol)
    if (!isLocal && url.host !== new URL(base).host) faults.push(`request to ${url.host}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy|Refused to/i.test(message.text())) faults.push(message.text())
  })
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return faults
}
