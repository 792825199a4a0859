import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { secrets, startCaptureStage } from './stage.ts'

/** A form for an edit of a picture, as an SDK sends it. */
function editOf(prompt: string): FormData {
  const form = new FormData()
  form.set('model', 'm')
  form.set('prompt', prompt)
  form.set('image', new Blob(['bytes of a picture'], { type: 'image/png' }), 'cat.png')
  return form
}

test('of a form a capture has the texts, and of files the names and sizes', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  const reply = await stage.send('a', '/v1/images/edits', editOf(`a cat with ${secrets.a}`))
  await reply.text()
  await until(async () => (await stage.exchanges()).length === 1)
  const [exchange] = await stage.exchanges()
  expect(exchange?.request.form).toEqual([
    { name: 'model', text: 'm', bytes: 1 },
    { name: 'prompt', text: 'a cat with [secret]', bytes: 11 + secrets.a.length },
    { name: 'image', filename: 'cat.png', type: 'image/png', bytes: 18 },
  ])
  expect(exchange?.request.bytes).toBeGreaterThan(100)
  expect(await stage.text()).not.toContain('bytes of a picture')
  expect(await stage.text()).not.toContain(secrets.a)
})

test('a long text of a form is cut, and so is a list of many parts', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  const form = editOf('x'.repeat(300_000))
  form.append('other', 'y'.repeat(10_000))
  form.append('large', 'z'.repeat(1_100_000))
  for (let part = 0; part < 200; part++) form.append(`more-${part}`, '')
  await (await stage.send('a', '/v1/images/edits', form)).text()
  await until(async () => (await stage.exchanges()).length === 1)
  const [exchange] = await stage.exchanges()
  const parts = exchange?.request.form as { name: string; text?: string; cut?: boolean }[]
  expect(parts).toHaveLength(100)
  expect(exchange?.request).toMatchObject({ cut: true })
  const partOf = (name: string) => parts.find((one) => one.name === name)
  expect(partOf('prompt')).toMatchObject({ bytes: 300_000, cut: true })
  expect(partOf('prompt')?.text?.length).toBeLessThan(262_144)
  expect(partOf('other')).toEqual({ name: 'other', bytes: 10_000, cut: true })
  expect(partOf('large')).toEqual({ name: 'large', bytes: 1_100_000, cut: true })
})

test('a form of another key is in no capture', async () => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  await (await stage.send('b', '/v1/images/edits', editOf('private words'))).text()
  await (await stage.send('a', '/v1/images/edits', editOf('a cat'))).text()
  await until(async () => (await stage.exchanges()).length === 1)
  expect(await stage.text()).not.toContain('private words')
})

test.each([
  ['the text', {}, `{"name":"${secrets.a}"}`, '{"name":"[secret]"}', false],
  ['the beginning of a long text', {}, 'x'.repeat(300_000), expect.stringMatching(/^x+$/), true],
  ['the size of a picture', { 'content-type': 'image/png' }, 'picture', undefined, false],
  ['the size of what is compressed', { 'content-encoding': 'gzip' }, 'packed', undefined, false],
])('of a body that passes a capture has %s', async (_, headers, body, captured, isCut) => {
  await using stage = await startCaptureStage()
  await stage.start({ keyId: 'team-a' })
  const sent = { 'content-type': 'application/json', ...headers }
  await (await stage.send('a', '/v1/vector_stores', body, sent)).text()
  await (await stage.send('b', '/v1/vector_stores', body, sent)).text()
  await until(async () => (await stage.exchanges()).length === 1)
  const [exchange] = await stage.exchanges()
  expect(exchange?.request.bytes).toBe(body.length)
  expect(exchange?.request.body).toEqual(captured)
  expect('cut' in exchange!.request).toBe(isCut)
  expect(await stage.text()).not.toContain(secrets.a)
})
