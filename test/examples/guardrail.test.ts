import Anthropic from 'anthropic-1'
import OpenAI, { UnprocessableEntityError } from 'openai-7'
import { expect, test } from 'vitest'

import { withoutAdmin } from '../docs/checkout.ts'
import { openExample } from './example.ts'

test('the guardrail masks and refuses texts, as its README says', async () => {
  await using example = await openExample('plugins/guardrail', withoutAdmin)
  await example.follow('npm install')
  const ownTests = example.start(example.command('npm test'))
  const [gateway] = await Promise.all([
    example.open('npm start', /Listening on/),
    example.open('npm run sandbox', /listens on/),
  ])

  const masked = await example.follow('Project Nightfall')
  const pieces = [...masked.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.join('')).toBe('You said: ***************** is late')
  const refused = await example.follow('launch code')
  expect(refused).toMatch(/^HTTP.1.1 422 /m)
  expect(refused).not.toMatch(/launch/i)

  const client = new OpenAI({ apiKey: 'my-secret', baseURL: `${example.url(8787)}/v1` })
  const ask = (input: string) => client.responses.create({ model: 'sandbox/echo', input })
  expect((await ask('Is NIGHTFALL near?')).output_text).toBe('You said: Is ********* near?')
  await expect(ask('The launch code, please.')).rejects.toBeInstanceOf(UnprocessableEntityError)

  const anthropic = new Anthropic({ apiKey: 'my-secret', baseURL: example.url(8787) })
  const stream = anthropic.messages.stream({
    model: 'sandbox/echo',
    max_tokens: 99,
    messages: [{ role: 'user', content: 'The night falls on Nightfall' }],
  })
  expect(await stream.finalText()).toBe('You said: The night falls on *********')

  gateway.signal('SIGTERM')
  await gateway.ended
  expect(gateway.output.text).toMatch(/Shutting down: \d exchanges? in flight\./)
  expect(await ownTests.ended, ownTests.output.text).toBe(0)
  expect(example.unused()).toEqual([])
})
