import type { ConsolePage } from './console-page.ts'
import type { PageRow } from './every-page.ts'

/**
 * What is wrong on the page that is open, besides the findings of axe: its headings, secrets in its document, its storage
 * or its answers, and what went wrong in the browser since the last call.
 */
export async function wrongOn(
  opened: ConsolePage,
  { name }: PageRow,
  canaries: readonly string[],
): Promise<string[]> {
  const headings = await opened.page.locator('h1').allInnerTexts()
  const texts = await opened.texts()
  return [
    ...opened.faults.splice(0),
    ...(headings.join() === name ? [] : [`headings: ${headings.join()}`]),
    ...canaries.filter((canary) => texts.includes(canary)),
  ]
}

/** How many pixels a page is wider than its window: it scrolls in two directions then. */
export async function excessOf({ page }: ConsolePage): Promise<string[]> {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  return pixels > 0 ? [`is ${pixels} pixels too wide`] : []
}
