import { expect, test } from 'vitest'

import { dialectNames } from './dialects.ts'
import { startService } from './service.ts'

const canary = 'my-private-diary'

const broken = [
  '',
  ' ',
  canary,
  `{"model":"m","${canary}`,
  `{"model":"m","messages":[],}`,
  `{'model':'${canary}'}`,
  `{"model":"m"} ${canary}`,
  `\uFEFF{"model":"${canary}"}`,
  `{"model":"m","text":"${canary}\n"}`,
]

test.each(dialectNames)('%s: what is no JSON is answered 400 and never quoted', async (dialect) => {
  await using service = await startService()
  for (const body of broken) {
    const response = await service.post(dialect, body)
    const text = await response.text()
    expect({ body, status: response.status }).toEqual({ body, status: 400 })
    expect(JSON.parse(text)).toMatchObject({ error: { code: 400 } })
    expect(text).not.toContain(canary)
    expect(text.toLowerCase()).not.toContain('unexpected')
  }
  expect(service.upstream.requests).toEqual([])
  expect(JSON.stringify(service.gateway.log)).not.toContain(canary)
})

test('a large body that is not UTF-8 is answered 400', async () => {
  await using service = await startService()
  const large = Buffer.from(`{"model":"m","messages":[],"more":"${'é'.repeat(70_000)}"}`, 'latin1')
  const response = await service.post('chat', large)
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('The request body is not UTF-8.'),
  ])
  expect(service.upstream.requests).toEqual([])
})

test.each([
  ['{"model":"m","messages":[],}', 'syntax error at line 1, column 28'],
  ["{'model':'m'}", 'syntax error at line 1, column 2'],
  ['{\n  "model": "m",\n  "n": nine\n}', 'syntax error at line 3, column 8'],
  ['{"model":"m"} and more', 'syntax error at line 1, column 15'],
  ['{"model" "m"}', 'syntax error at line 1, column 10'],
  ['{"n":[1 2]}', 'syntax error at line 1, column 9'],
  ['{"n":[1}', 'syntax error at line 1, column 8'],
  ['{"text":"a\tb"}', 'syntax error at line 1, column 11'],
  ['\uFEFF{}', 'syntax error at line 1, column 1'],
  ['{"model":"m","te', 'premature end at line 1, column 17'],
  ['{"model":"m"', 'premature end at line 1, column 13'],
  [' ', 'premature end at line 1, column 2'],
])('whoever sends %j is told where it stops being JSON', async (body, place) => {
  await using service = await startService()
  const response = await service.post('chat', body)
  expect(await response.json()).toMatchObject({
    error: { code: 400, message: `The request body is not valid JSON: ${place}.` },
  })
})

test('a mistake that is far away is told without its place', async () => {
  await using service = await startService()
  const response = await service.post('chat', `{"model":"${'m'.repeat(2 ** 20)}" oops}`)
  expect(await response.json()).toMatchObject({
    error: { message: 'The request body is not valid JSON.' },
  })
})

test.each(dialectNames)('%s: a body that is empty is said to be', async (dialect) => {
  await using service = await startService()
  const response = await service.post(dialect, '')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { message: 'The request body is empty.' },
  })
})

test.each(dialectNames)('%s: JSON that is no object is answered 400', async (dialect) => {
  await using service = await startService()
  for (const body of ['null', '[]', '[{}]', '"text"', '7', 'true']) {
    const response = await service.post(dialect, body)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('must be a JSON object')
  }
  expect(service.upstream.requests).toEqual([])
})

test.each(dialectNames)('%s: a form is answered 415', async (dialect) => {
  await using service = await startService()
  const form = new FormData()
  form.set('model', 'm')
  const response = await service.post(dialect, form)
  expect(response.status).toBe(415)
  expect(await response.json()).toMatchObject({
    error: { code: 415, message: 'Send this request as application/json.' },
  })
  expect(service.upstream.requests).toEqual([])
})

test('JSON is JSON whatever its content type says', async () => {
  await using service = await startService()
  for (const type of ['text/plain', 'application/json; charset=utf-8', 'application/x-ndjson']) {
    const response = await service.ask('chat', {}, { headers: { 'content-type': type } })
    expect(response.status).toBe(200)
    expect(service.received().headers['content-type']).toBe('application/json')
  }
})

test('JSON that is nested ten thousand deep is passed on or refused, never a crash', async () => {
  await using service = await startService()
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  const response = await service.post('chat', `{"model":"m","messages":[0],"deep":${deep}}`)
  expect([200, 400]).toContain(response.status)
  expect((await service.ask('chat')).status).toBe(200)
})
