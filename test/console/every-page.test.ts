import { afterAll, beforeAll, expect, test } from 'vitest'

import { type ConsolePage, type View } from './console-page.ts'
import { everyPage } from './every-page.ts'
import { type Fixture, startFixture } from './fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

/** Opens each page in a view, and names what `look` finds. */
async function walk(
  view: View,
  look: (opened: ConsolePage) => Promise<readonly string[]>,
): Promise<string[]> {
  await using opened = await fixture.open(view)
  const found: string[] = []
  for (const { path, name } of everyPage(fixture.seen)) {
    await opened.go(path)
    const findings = [...(await look(opened)), ...opened.faults.slice(0)]
    const headings = await opened.page.getByRole('heading', { level: 1 }).allInnerTexts()
    if (headings.length !== 1 || (!path.includes('/') && headings[0] !== name))
      findings.push(`headings: ${headings.join()}`)
    const texts = await opened.texts()
    findings.push(...fixture.canaries.filter((canary) => texts.includes(canary)))
    found.push(...findings.map((finding) => `${path}: ${finding}`))
  }
  return found
}

const wide: View = { role: 'admin', theme: 'light', width: 1280 }
const small: View = { role: 'viewer', theme: 'dark', width: 390, height: 844 }

test('each page is accessible, breaks no policy and shows no secret, to an admin by day', async () => {
  expect(await walk(wide, ({ axe }) => axe())).toEqual([])
}, 120_000)

test('each page is accessible, breaks no policy and shows no secret, to a viewer with a phone at night', async () => {
  expect(await walk(small, ({ axe }) => axe())).toEqual([])
}, 120_000)

test('each page of an operator fits 320 pixels and forced colours', async () => {
  const view: View = { role: 'operator', width: 320, forcedColors: true }
  const found = await walk(view, async ({ page }) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    return width > 320 ? [`is ${width} pixels wide`] : []
  })
  expect(found).toEqual([])
}, 120_000)
