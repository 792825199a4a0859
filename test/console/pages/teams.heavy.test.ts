import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'
import { answerWith } from './answers.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('a team that is in no row of an incomplete usage has an unknown one, not none', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'teams' })
  const { page } = opened
  const row = page.getByRole('row', { name: /^support/ })
  const answer = await answerWith(page, 'Teams', listed(false))
  await page.reload()
  await row.getByText('$0', { exact: true }).waitFor()
  answer.next(listed(true))
  await page.reload()
  await page.getByText('A gap.').waitFor()
  expect(await row.innerText()).not.toMatch(/\$0|\b0\b/)
  expect(opened.faults).toEqual([])
})

test('a link to a team leads to it, though its list does not have it', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'teams' })
  const { page } = opened
  await answerWith(page, 'Teams', {
    data: { teams: { edges: [], pageInfo: { hasNextPage: true, endCursor: 'a' } }, usage },
  })
  await opened.go('teams?team=search')
  await page.getByRole('link', { name: 'Cost a month' }).click()
  await page.waitForURL(/team=search&limit=team/)
  await page.getByRole('dialog', { name: 'Cost a month of team search' }).waitFor()
  await page.keyboard.press('Escape')
  // It is of the file.
  await page.getByText('the configuration file, where it is changed').waitFor()
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await opened.go('teams?team=nowhere')
  await page.getByText('There is no team nowhere').waitFor()
  expect(opened.faults).toEqual([])
})

test('limits fit their rows also where there are many, and the keys open one', async () => {
  const all = (
    await fixture.gateway.graph<{ limits: readonly object[] }>(`{ limits { ${parts} } }`)
  ).data.limits
  await using opened = await fixture.open({ role: 'viewer', path: 'limits' })
  const { page } = opened
  const many = Array.from({ length: 80 }, (_, index) => ({
    ...all[index % all.length],
    id: `limit-${index}`,
    models: ['gpt-*'],
  }))
  await answerWith(page, 'Limits', { data: { limits: many } })
  await opened.go('limits')
  const table = page.getByRole('table', { name: 'Limits' })
  await table.getByText('only gpt-*').first().waitFor()
  const heights = await table
    .locator('tbody tr:has(th)')
    .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)))
  expect([...new Set(heights)]).toEqual([53])
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/limit=limit-1$/)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/limits$/)
  expect(opened.faults).toEqual([])
})

test('a budget that refuses a model without a price says so until its reader dismisses it', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'limits' })
  const { page } = opened
  await page.clock.install()
  await page.getByRole('button', { name: 'Set a limit' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Calls of models without a price are refused too.').waitFor()
  await dialog.getByLabel('Of', { exact: true }).selectOption('a team')
  await dialog.getByLabel('Its id').fill('support')
  await dialog.getByLabel('Amount in US dollars').fill('5')
  await dialog.getByRole('button', { name: 'Set', exact: true }).click()
  const warning = page.getByText('It refuses calls of models without a price: "glm-5".')
  await warning.waitFor()
  expect(await opened.axe()).toEqual([])
  await page.clock.runFor(60_000)
  expect(await warning.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await warning.waitFor({ state: 'detached' })
  expect(opened.faults).toEqual([])
})

const usage = { rows: [] }

/** A list with a team, beside a usage that has none of it. */
function listed(isIncomplete: boolean): object {
  const node = { id: 'support', name: 'Support', models: null, problem: null, limits: [] }
  return {
    data: { teams: { edges: [{ node }], pageInfo: { hasNextPage: false } }, usage },
    ...(isIncomplete && { extensions: { incomplete: [{ field: 'usage', reason: 'A gap.' }] } }),
  }
}

const parts = `id subject { type id } kind window zone models per action strict alerts amount
  extra { amount until } spent held remaining resetsAt managedBy version changedAt changedBy`
