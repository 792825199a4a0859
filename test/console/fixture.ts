import { launchBrowser } from '../admin/http/browser.ts'
import { buildConsole } from './built.ts'
import { type ConsolePage, type View, openConsolePage } from './console-page.ts'
import { type SeededGateway, startSeededGateway } from './gateway.ts'

/** A browser before a gateway whose accounts are in all states. One for each file of tests. */
export interface Fixture extends SeededGateway {
  /** Opens a page of the console, signed in as a role. */
  open(view?: View): Promise<ConsolePage>
}

/** Starts the gateway and the browser of a file of tests. */
export async function startFixture(options?: { readonly isBusy?: boolean }): Promise<Fixture> {
  await using opening = new AsyncDisposableStack()
  await buildConsole()
  const [seeded, browser] = await Promise.all([startSeededGateway(options), launchBrowser()])
  opening.use(seeded)
  opening.use(browser)
  const opened = opening.move()
  return {
    ...seeded,
    open: (view) => openConsolePage(browser, seeded.gateway, view),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
