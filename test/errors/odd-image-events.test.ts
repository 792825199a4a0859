import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { openStream } from '../walks/streams/scripted.ts'

const secret = 'key-of-a'
const message = `no such tenant for ${secret}`

const frame = (name: string, members: object) =>
  `event: ${name}\ndata: ${JSON.stringify({ type: name, ...members })}\n\n`

const image = 'aGVsbG8='
const partial = (members: object = {}) =>
  frame('image_generation.partial_image', { ...members, partial_image_index: 0, b64_json: image })
const completed = (members: object = {}) =>
  frame('image_generation.completed', { ...members, b64_json: image })

/** The reply to a streamed call whose account sends these frames. */
async function watch(frames: readonly string[]): Promise<{ status: number; text: string }> {
  await using account = await startFakeAccount((response) => {
    openStream(response, frames)
    response.end()
  })
  const one = { id: 'a', provider: 'openai', apiKey: secret, models: ['*'] }
  await using gateway = await createTestGateway({
    accounts: [{ ...one, baseUrl: `${account.url}/v1` }],
  })
  const response = await fetch(`${gateway.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-image-1', prompt: 'x', stream: true, partial_images: 1 }),
  })
  return { status: response.status, text: await response.text() }
}

test.each([null, '', {}, [], { code: null, message: '' }])(
  'an image stream with the error %j in each event has not failed',
  async (error) => {
    const frames = [partial({ error }), completed({ error })]
    expect(await watch(frames)).toEqual({ status: 200, text: frames.join('') })
  },
)

test.each([
  { error: { message } },
  { error: message },
  { errors: [message] },
  { message },
  { type: 'server_error', message },
])('an image stream that ends with %j has failed', async (event) => {
  const { text } = await watch([partial(), `data: ${JSON.stringify(event)}\n\n`])
  expect([text.includes(secret), text.includes('image_generation.completed')]).toEqual([
    false,
    false,
  ])
  expect(text).toContain('no such tenant')
})

test.each([
  frame('notice', { text: message }),
  partial({ message }),
  partial({ message, created_at: '7' }),
])('an image stream shows no key in %j', async (event) => {
  const { text } = await watch([event, partial(), completed({ created_at: '7' })])
  expect([text.includes(secret), text.includes('no such tenant')]).toEqual([false, true])
  expect(text).toContain('event: image_generation.completed')
  expect(text).not.toContain('"created_at":"7"')
})
