import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Fixture, startFixture } from '../fixture.ts'

let fixture: Fixture
beforeAll(async () => void (fixture = await startFixture()), 60_000)
afterAll(() => fixture[Symbol.asyncDispose]())

test('an admin calls a model in each dialect with a key for minutes, and sees route and cost; the key ends with the page', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a short-lived key' }).click()
  const dialog = page.getByRole('dialog')
  const described = await dialog
    .getByLabel('Models')
    .evaluate(
      (field) => document.getElementById(field.getAttribute('aria-describedby')!)?.textContent,
    )
  expect(described).toMatch(/^Names and patterns/)
  await dialog.getByLabel('Team').fill('search')
  await dialog.getByRole('button', { name: 'Make' }).click()
  const id = await page.getByText(/^playground-/).innerText()

  const reply = page.locator('.playground-text')
  for (const [dialect, model] of [
    ['Responses', 'gpt-5.4'],
    ['Chat Completions', 'gpt-5.4'],
    ['Messages', 'claude-sonnet-4-6'],
    ['generateContent', 'gpt-5.4'],
  ] as const) {
    await page.getByLabel('Dialect').selectOption(dialect)
    await page.getByLabel('Model', { exact: true }).fill(model)
    for (const isStreamed of [true, false]) {
      await page.getByLabel('Streamed').setChecked(isStreamed)
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.locator('.card-head').getByText('200', { exact: true }).waitFor()
      expect(await reply.innerText(), `${dialect} ${isStreamed}`).not.toBe('')
      await page.getByText('served it').waitFor()
    }
  }
  await page.getByText('Lost in translation').waitFor()

  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4-pro')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('alert').getByText('No account').waitFor()
  await page.getByText('No account was asked').waitFor()

  await page.getByLabel('Client', { exact: true }).selectOption('Claude Code')
  await page.getByText(/ANTHROPIC_BASE_URL=http:/).waitFor()
  await opened.page.getByRole('link', { name: 'Keys', exact: true }).click()
  const row = page.getByRole('row', { name: new RegExp(id) })
  await row.getByText('Revoked').waitFor()
  expect(opened.faults.filter((fault) => !fault.includes('/console/call'))).toEqual([])
})

test('an operator calls with a pasted key, makes an image and a video, and the page forgets the key', async () => {
  const secret = fixture.canaries.find((one) => one.includes('key-batch'))!
  await using opened = await fixture.open({ role: 'operator', path: 'playground' })
  const { page } = opened
  const make = page.getByRole('button', { name: 'Make a short-lived key' })
  expect(await make.getAttribute('aria-description')).toBe('The role admin may do this.')
  await page.getByLabel('API key').fill(secret)
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByText('A pasted key that ends in').waitFor()
  expect(await opened.texts()).not.toContain(secret)

  await page.getByLabel('Dialect').selectOption('Images')
  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('img', { name: 'Image 1' }).waitFor()
  await expect
    .poll(() => page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width))
    .toBeGreaterThan(300)

  await page.getByLabel('Dialect').selectOption('Videos')
  await page.getByLabel('Model', { exact: true }).fill('sora-2')
  await page.getByLabel('Seconds').fill('4')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the video' }).click()
  expect((await saved).suggestedFilename()).toMatch(/^video_\w+\.mp4$/)
  await page.getByRole('link', { name: 'Jobs', exact: true }).click()
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  await page.getByLabel('API key').waitFor()
  expect(opened.faults).toEqual([])
})

test('speech is played and saved, vectors are shown by their beginnings, and the reason why no call can be made is in sight', async () => {
  const secret = fixture.canaries.find((one) => one.includes('key-batch'))!
  await using opened = await fixture.open({ role: 'operator', path: 'playground' })
  const { page } = opened
  await page.getByText('It needs a key: paste one above, or make one.').waitFor()
  await page.getByLabel('API key').fill(secret)
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByLabel('Dialect').selectOption('Embeddings')
  await page.getByLabel('Model', { exact: true }).fill('gpt-5.4')
  await page.getByLabel('Dimensions').fill('8')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.locator('.playground-text').getByText('8 numbers').waitFor()

  await page.getByLabel('Dialect').selectOption('Speech')
  await page.route('**/console/call', (route) =>
    route.fulfill({
      body: silence,
      contentType: 'audio/wav',
      headers: { 'x-dragoman-call': 'answered', 'content-type': 'audio/wav' },
    }),
  )
  await page.getByLabel('Format').selectOption('wav')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.locator('.playground-made').getByRole('button', { name: 'Stop' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await saved).suggestedFilename()).toBe('speech.wav')

  await page.unroute('**/console/call')
  await page.getByRole('button', { name: 'Call', exact: true }).click()
  await page.getByText('served it').waitFor()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.getByRole('alert').getByText('The browser cannot play this audio.').waitFor()
  expect(opened.faults).toEqual([])
})

/** A minute of silence, as WAV: 8,000 samples of 8 bits a second. */
const silence = (() => {
  const bytes = 60 * 8_000
  const file = Buffer.alloc(44 + bytes, 128)
  file.write('RIFF')
  file.writeUInt32LE(36 + bytes, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(8_000, 24)
  file.writeUInt32LE(8_000, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(bytes, 40)
  return file
})()

test('the key of the Playground is revoked when its user closes the tab', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a short-lived key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make' }).click()
  const id = await page.getByText(/^playground-/).innerText()
  await page.close({ runBeforeUnload: true })
  const query = `{ key(id: "${id}") { state } }`
  await expect
    .poll(
      async () => (await fixture.gateway.graph<{ key: { state: string } }>(query)).data.key.state,
    )
    .toBe('REVOKED')
})

test('the key of the Playground is revoked when its user signs out', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a short-lived key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make' }).click()
  const id = await page.getByText(/^playground-/).innerText()
  await page.getByRole('button', { name: 'Sign out' }).click()
  // Chromium loses the close of a page that meets the commit of its reload.
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  const query = `{ key(id: "${id}") { state } }`
  await expect
    .poll(
      async () => (await fixture.gateway.graph<{ key: { state: string } }>(query)).data.key.state,
    )
    .toBe('REVOKED')
})

test('a revocation without an answer does not keep the user of the Playground signed in', async () => {
  await using opened = await fixture.open({ role: 'admin', path: 'playground' })
  const { page } = opened
  await page.getByRole('button', { name: 'Make a short-lived key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make' }).click()
  await page.getByText(/^playground-/).waitFor()
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes('RevokePlaygroundKey')) return route.fallback()
  })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
})

test('a viewer reads how a client is set up, and which role may call models here', async () => {
  await using opened = await fixture.open({ role: 'viewer', path: 'playground' })
  const { page } = opened
  await page.getByText('The role operator may call models here').first().waitFor()
  await page.getByRole('region', { name: 'Set-up of OpenAI SDK, JavaScript' }).waitFor()
  expect(opened.faults).toEqual([])
})
