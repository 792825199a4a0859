import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { withoutAdmin } from '../docs/checkout.ts'
import { openExample } from './example.ts'

test('the cache answers a repeated question, as its README says', async () => {
  await using example = await openExample('plugins/cache', withoutAdmin)
  await example.follow('npm install')
  const ownTests = example.start(example.command('npm test'))
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])

  const ask = () => example.follow('curl')
  const idOf = (answer: string) => /"id":\s*"(chatcmpl-\w+)"/.exec(answer)?.[1]
  const [first, second] = [await ask(), await ask()]
  expect(first).toMatch(/^HTTP.1.1 200 [^]*^x-dragoman-account: sandbox/m)
  expect(first).not.toContain('x-answer-cache')
  expect(second).toMatch(/^HTTP.1.1 200 [^]*^x-answer-cache: hit/m)
  expect(second).not.toContain('x-dragoman-account')
  expect(idOf(first)).toBeTruthy()
  expect(idOf(second)).toBe(idOf(first))

  const client = new OpenAI({ apiKey: 'my-secret', baseURL: `${example.url(8787)}/v1` })
  const messages = [{ role: 'user' as const, content: 'How are you?' }]
  const fields = { model: 'sandbox/echo', messages }
  const answer = await client.chat.completions.create(fields)
  expect(await client.chat.completions.create(fields)).toEqual(answer)
  for (let count = 1; count <= 2; count++) {
    const { data, response } = await client.chat.completions
      .create({ ...fields, stream: true })
      .withResponse()
    expect(response.headers.has('x-answer-cache')).toBe(false)
    let said = ''
    for await (const chunk of data) said += chunk.choices[0]?.delta.content ?? ''
    expect(said).toBe('You said: How are you?')
  }

  gateway.signal('SIGTERM')
  await gateway.ended
  expect(gateway.output.text).toMatch(/Shutting down: \d exchanges? in flight\./)
  expect(await ownTests.ended, ownTests.output.text).toBe(0)
  expect(example.unused()).toEqual([])
})
