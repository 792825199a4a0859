import { expect, test } from 'vitest'

import { convertImages } from '../../../plugins/dialects/images/convert-format.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { until } from '../../../src/testing/until.ts'
import { createGate } from '../streams/scripted.ts'
import { picture } from './lent.ts'

const base64 = picture.toString('base64')

test('a client gets its image, though fetching it takes longer than an account may be silent', async () => {
  const gate = createGate()
  await using host = await startFakeAccount(async (response) => {
    await gate.opened
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
  })
  await using account = await startFakeAccount((response, request) => {
    if (!request.body.includes('stalls')) {
      return answerJson({ data: [{ url: `${host.url}/a.png` }] })(response, request)
    }
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  await using gateway = await createTestGateway({
    timeouts: { idleMs: 200 },
    remote: { allow: [new URL(host.url).host], allowHttp: true },
    accounts: [
      {
        id: 'a',
        provider: 'openai-compatible',
        speaks: ['images'],
        baseUrl: `${account.url}/v1`,
        models: ['*'],
      },
    ],
  })
  const generate = (prompt: string) =>
    fetch(`${gateway.url}/v1/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-image-1', prompt, response_format: 'b64_json' }),
    })
  const asked = generate('a cat')
  await until(() => host.requests.length === 1)
  // By the time that one is given up the other was silent for longer.
  expect((await generate('an account that stalls')).status).toBe(504)
  gate.open()
  const response = await asked
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { data: [{ b64_json: base64 }] },
  ])
})

test('an image that is not turned in time passes as it is', async () => {
  const forever = new Promise<never>(() => {})
  const log: unknown[] = []
  const turning = {
    results: { publish: () => forever },
    fetch: () => forever,
    signal: new AbortController().signal,
    log: { warn: (message: string, fields?: object) => void log.push({ message, ...fields }) },
    withinMs: 20,
  }
  const inBase64 = { b64_json: base64 }
  await convertImages([inBase64], 'url', turning)
  const atUrl = { url: 'https://pictures.example/1.png' }
  await convertImages([atUrl], 'b64_json', turning)
  expect([inBase64, atUrl]).toEqual([
    { b64_json: base64 },
    { url: 'https://pictures.example/1.png' },
  ])
  const late = expect.stringContaining('20 ms') as string
  expect(log).toMatchObject([
    { message: 'image conversion to `url` failed', error: late },
    { message: 'image conversion to `b64_json` failed', error: late },
  ])
})
