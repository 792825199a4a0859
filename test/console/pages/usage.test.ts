import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('usage tells keys, teams and models apart, and says what is unknown', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'usage?by=TEAM' })
  const { page } = opened
  await page.getByRole('row', { name: /^search / }).waitFor()
  // The page asks for the one series that it draws.
  const texts = await opened.texts()
  expect([texts.includes('"cost":{'), texts.includes('"tokens":{')]).toEqual([true, false])
  await page.locator('.lines-legend').getByText('search').waitFor()
  await page.getByRole('button', { name: 'Tokens', exact: true }).click()
  await page.getByRole('button', { name: 'Tokens as a table' }).waitFor()
  await page.getByRole('button', { name: 'Cost', exact: true }).click()
  await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'Model' }).click()
  expect(new URL(page.url()).searchParams.get('by')).toBe('MODEL')
  const { usage } = (await fixture.gateway.graph<Totals>(totalsOf())).data
  const rows = page.getByRole('table', { name: 'Usage by model' }).getByRole('row')
  await rows.nth(1).waitFor()
  expect(await rows.count()).toBe(usage.rows.length + 1)
  const calls = page.locator('.figure', { hasText: 'Calls' }).first()
  await calls.getByText(String(usage.totals.calls), { exact: true }).waitFor()
  const unpriced = usage.rows.find(({ cost, unpricedCalls }) => cost === '0' && unpricedCalls > 0)
  if (unpriced) await page.getByText('of unknown cost').first().waitFor()

  await page.getByLabel('Key', { exact: true }).fill('search')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.waitForURL(/keyId=search/)
  await page.getByRole('button', { name: 'Cost in US dollars as a table' }).click()
  const table = page.getByRole('dialog').getByRole('table')
  await table.getByRole('row').nth(1).waitFor()
  expect(opened.faults).toEqual([])
})

test('an admin prices a model that has none, and takes the price back', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'prices' })
  const { page } = opened
  await page.getByRole('button', { name: 'Without a price' }).click()
  await page.getByRole('link', { name: 'glm-5', exact: true }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/open=/)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/unpriced$/)
  await page.getByRole('link', { name: 'glm-5', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Set another price' }).click()
  await dialog.getByLabel('Input', { exact: true }).fill('1.25')
  await dialog.getByLabel('Output', { exact: true }).fill('x')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  // The form takes numbers only.
  await dialog.locator('input[name=output]:invalid').waitFor()
  await dialog.getByLabel('Output', { exact: true }).fill('10')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'All', exact: true }).click()
  const row = page.getByRole('row', { name: /^glm-5/ })
  await row.getByText('$1.25').waitFor()
  await row.getByRole('link').first().click()
  await dialog.getByText('set here').waitFor()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByLabel('Reason').fill('It was a test.')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.getByText('No price').waitFor()

  fixture.upstream.mend('partner')
  await fixture.gateway.graph('mutation { resetCircuit(input: {id: "partner"}) { __typename } }')
  const messages = [{ role: 'user', content: 'Hello' }]
  const { status } = await fixture.call({ key: 'agents', body: { model: 'glm-5', messages } })
  expect(status).toBe(200)
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))")
  await page
    .getByRole('table', { name: 'Used at an unknown cost' })
    .getByRole('row', { name: /^glm-5 partner 1 / })
    .waitFor()
  await page.getByRole('button', { name: 'Set a price of glm-5 at partner' }).click()
  expect(await dialog.getByLabel('Model', { exact: true }).inputValue()).toBe('glm-5')
  expect(await dialog.getByLabel('Only the account').inputValue()).toBe('partner')
  expect(opened.faults).toEqual([])
})

interface Totals {
  readonly usage: {
    readonly rows: readonly { readonly cost: string; readonly unpricedCalls: number }[]
    readonly totals: { readonly calls: number }
  }
}

function totalsOf(): string {
  const end = Math.ceil(Date.now() / 60_000) * 60_000
  const [from, to] = [end - 86_400_000, end].map((at) => new Date(at).toISOString())
  return `{ usage(from: "${from}", to: "${to}", by: [MODEL]) {
    rows { cost unpricedCalls }
    totals { calls }
  } }`
}
