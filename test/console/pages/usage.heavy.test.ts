import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { type Data, answerWith, changeAnswer } from './answers.ts'

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
  // A team without a cost is no part of the drawing.
  expect(await page.locator('.lines-legend').innerText()).not.toMatch(/(?:^|\s)0 %/)
  const tops = await page
    .locator('.switch[aria-label="Time"], .field-filters > *')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(10)
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

test('usage of today begins at midnight of the page, and says that all is priced where it is', async () => {
  await using opened = await fixture.open({
    role: 'viewer',
    path: 'usage?keyId=agents&model=claude-sonnet-4-6',
    timezoneId: 'Asia/Tokyo',
  })
  const { page } = opened
  const asked = page.waitForRequest((request) => request.postData()?.includes('"Usage"') ?? false)
  await page.getByRole('button', { name: 'Today', exact: true }).click()
  const { variables } = (await asked).postDataJSON() as {
    variables: { from: string; to: string }
  }
  expect(variables.from).toMatch(/T15:00:00.000Z$/)
  const hours = (Date.parse(variables.to) - Date.parse(variables.from)) / 3_600_000
  expect(hours).toBeLessThanOrEqual(24.1)
  expect(new URL(page.url()).searchParams.get('span')).toBe('today')
  const cost = page.locator('.figure', { hasText: 'Cost' }).first()
  await answerWith(page, 'Usage', usageOf({ unpricedCalls: 0 }))
  await page.reload()
  await cost.getByText('all priced', { exact: true }).waitFor()
  for (const lacks of [{ unpricedCalls: 1 }, { lostCalls: 1 }, { calls: 0 }]) {
    await answerWith(page, 'Usage', usageOf(lacks))
    await page.reload()
    await cost.getByText('$1.00').waitFor()
    expect(await cost.innerText()).not.toContain('priced')
  }
  await answerWith(
    page,
    'Usage',
    usageOf({}, { incomplete: [{ field: 'usage', reason: 'A gap.' }] }),
  )
  await page.reload()
  await page.getByText('A gap.').waitFor()
  expect(await cost.innerText()).not.toContain('priced')
  expect(opened.faults).toEqual([])
})

test('prices that were checked long ago, and a price that another admin has set meanwhile, are said', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'prices' })
  const { page } = opened
  const old = page.getByText('The published prices were checked on')
  expect(await old.count()).toBe(0)
  await changeAnswer(page, 'Prices', ({ prices }) => {
    const published = prices.edges.filter(({ node }: Data) => node.checkedAt)
    for (const { node } of published) node.checkedAt = '2026-01-31T00:00:00.000Z'
  })
  await page.reload()
  await page.getByText('The published prices were checked on 2026-01-31.').waitFor()

  const video = page.getByRole('row', { name: /^sora-2/ })
  await video.getByText(/^(?:from )?\$0\.\d+ a second of video$/).waitFor()
  await page.getByRole('button', { name: 'Set a price', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Model', { exact: true }).fill('glm-9')
  await dialog.getByLabel('Input', { exact: true }).fill('2')
  await dialog.getByLabel('Output', { exact: true }).fill('3')
  await fixture.gateway.graph(
    'mutation { setPrice(input: {model: "glm-9", rates: {input: "1", output: "3"}}) { __typename } }',
  )
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await dialog.getByRole('row', { name: 'rates.input not set 1' }).waitFor()
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  // It has no account: that is said until it is dismissed.
  await page.getByText('No account has a model of the name "glm-9".').waitFor()
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

/** An answer of the page, whose totals have these figures. */
function usageOf(figures: object, extensions: object = {}): object {
  const zero = { failures: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, lostCalls: 0 }
  const none = { ...zero, estimatedCalls: 0, unpricedCalls: 0, retries: 0, durationP95Ms: null }
  const totals = { ...none, calls: 3, cost: '1', ...figures }
  return { data: { usage: { rows: [], totals }, cost: { lines: [] } }, extensions }
}

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
