import type { Page } from 'playwright-core'

/** Buttons that open no dialog. */
const others =
  /^(?:Cancel|Close|✕|Clear|Call|Stop|Test|First page|Next page|Copy\b.*|.* as CSV|CSV|NDJSON)$/

/** What `openDialogs` does with the dialogs of a page. */
export interface Opening {
  readonly page: Page
  /** Sees each dialog once, while it is open. */
  look(title: string): Promise<void>
  /** Shows the page as it was in the beginning. */
  restart(): Promise<void>
}

/**
 * Opens each dialog of a page by its buttons, with keys only, and each dialog of a dialog; of the buttons in the rows of
 * a table, those of the first row. Resolves with the buttons to which the focus did not return from their dialog.
 */
export async function openDialogs(
  opening: Opening,
  seen = new Set<string>(),
  way: readonly string[] = [],
): Promise<string[]> {
  const { page, look, restart } = opening
  const lost: string[] = []
  for (const name of await page.evaluate(buttonNames)) {
    if (others.test(name)) continue
    const before = await titleOf(page)
    await press(page, name)
    const title = await titleOf(page)
    if (title === undefined || title === before) continue
    if (!seen.has(title)) {
      seen.add(title)
      await look(title)
      lost.push(...(await openDialogs(opening, seen, [...way, name])))
      if (way.length === 0) {
        await closeAll(page)
        if ((await page.evaluate(focusedName)) !== name) lost.push(name)
      }
    }
    await restart()
    for (const step of way) await press(page, step)
  }
  return lost
}

/** Presses the first button of a name by a key. */
async function press(page: Page, name: string): Promise<void> {
  if (await page.evaluate(focusOn, name)) await page.keyboard.press('Enter')
  await page.evaluate(drawn)
}

/** Closes all dialogs by a key. */
export async function closeAll(page: Page): Promise<void> {
  for (let most = 4; most > 0 && (await titleOf(page)) !== undefined; most--) {
    await page.keyboard.press('Escape')
    await page.evaluate(drawn)
  }
}

/** The title of the dialog on top. */
export function titleOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1)
    return dialog?.querySelector('h2')?.textContent
  })
}

// The functions below run in the page: they name nothing outside of them.

function buttonNames(): string[] {
  const over = [...document.querySelectorAll('[role="dialog"]')].at(-1)
  const all = (over ?? document.querySelector('main'))?.querySelectorAll('button') ?? []
  const usable = [...all].filter(
    (button) =>
      button.checkVisibility() &&
      !button.matches(
        ':disabled, [aria-disabled="true"], [aria-pressed], [data-escape], [type="submit"]',
      ) &&
      !button.closest('tbody tr:not(:first-child)'),
  )
  return [...new Set(usable.map((button) => button.ariaLabel ?? button.textContent ?? ''))]
}

function focusOn(name: string): boolean {
  const over = [...document.querySelectorAll('[role="dialog"]')].at(-1)
  const all = (over ?? document.querySelector('main'))?.querySelectorAll('button') ?? []
  const button = [...all].find((one) => (one.ariaLabel ?? one.textContent) === name)
  button?.focus()
  return button !== undefined
}

function focusedName(): string {
  const { activeElement } = document
  return activeElement?.ariaLabel ?? activeElement?.textContent ?? ''
}

/** Resolves when the page has drawn what it has. */
async function drawn(): Promise<void> {
  for (let frame = 0; frame < 2; frame++)
    await new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))
}
