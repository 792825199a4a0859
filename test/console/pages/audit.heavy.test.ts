import { readFile } from 'node:fs/promises'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('a viewer reads what an act has changed, within a time, and downloads the log', async () => {
  await fixture.gateway.graph(
    'mutation { createTeam(input: {id: "papers", name: "Papers"}) { __typename } }',
  )
  await fixture.gateway.graph(
    'mutation { updateTeam(input: {id: "papers", name: "All papers", models: ["gpt-*"]}) { __typename } }',
  )
  await using opened = await fixture.open({ role: 'viewer', path: 'audit?action=team' })
  const { page } = opened
  await page.getByRole('link', { name: 'team.create' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'team.update' })
  await dialog.getByRole('row', { name: 'name Papers All papers' }).waitFor()
  await dialog.getByRole('row', { name: 'models not set ["gpt-*"]' }).waitFor()
  expect(await opened.axe()).toEqual([])
  await page.keyboard.press('Escape')

  const tops = await page
    .locator('.field-filters')
    .evaluate((form) => [...form.children].map((one) => one.getBoundingClientRect().top))
  // All of them stand in one line, also with the button that clears them.
  expect(new Set(tops.map(Math.round)).size).toBe(1)
  await page.getByRole('button', { name: 'Clear' }).waitFor()

  await page.getByLabel('From').fill('2036-01-01T00:00:00')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('No such act').waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toBe('2036-01-01T00:00:00.000Z')
  await page.getByRole('button', { name: 'Clear' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'NDJSON' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('audit.ndjson')
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  const acts = lines.map((line) => (JSON.parse(line) as { action: string }).action)
  expect(acts).toContain('team.update')
  expect(acts.at(-1)).toBe('audit.export')
  await page.getByRole('link', { name: 'audit.export' }).waitFor()
  expect(opened.faults).toEqual([])
})

test('an operator may reload the configuration, and reads that an admin may drain processes', async () => {
  await using opened = await fixture.open({ role: 'operator', path: 'configuration' })
  const { page } = opened
  await page.getByRole('button', { name: 'Reload the file' }).click()
  await page.getByRole('dialog', { name: 'Reload the configuration' }).waitFor()
  await page.keyboard.press('Escape')
  const drain = page.getByRole('button', { name: /^Drain/ })
  await drain.nth(1).waitFor()
  const whys = await drain.evaluateAll((all) => all.map((one) => one.ariaDescription))
  expect([...new Set(whys)]).toEqual(['The role admin may do this.'])
  expect(opened.faults).toEqual([])
})
