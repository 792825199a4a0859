import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { openExample } from './example.ts'

test('an application serves the gateway beside its own page, as the README says', async () => {
  await using example = await openExample('embedded')
  await example.follow('npm install')
  const [application] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])

  expect(await example.follow('/v1/responses')).toContain('You said: Hello')
  expect(await example.follow('/usage')).toMatch(/\{"app":\{"input":[1-9]\d*,"output":[1-9]\d*\}\}/)

  const url = `${example.url(8000)}/v1`
  const client = new OpenAI({ apiKey: 'my-secret', baseURL: url, maxRetries: 0 })
  const stream = await client.responses.create({
    model: 'sandbox/words=40+pace=20',
    input: 'Hello',
    stream: true,
  })
  let last = ''
  for await (const event of stream) {
    if (last === '') application.signal('SIGTERM')
    last = event.type
  }
  // The stream goes on to its end, although the application is asked to end.
  expect(last).toBe('response.completed')
  await application.ended
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect(application.output.text).toMatch(/"msg":"exchange"[^\n]*"stream_end":"complete"/)
  expect(example.unused()).toEqual([])
})
