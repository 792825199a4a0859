import { expect, test } from 'vitest'

import { startService } from '../service.ts'

const limit = 8 * 1024 * 1024

/** Every fourth character is a slash as base64. */
const pattern = Buffer.from([0xff, 0, 0])

/** A data URL of an image of this many bytes. */
function imageOf(bytes: number): string {
  return `data:image/png;base64,${Buffer.alloc(bytes, pattern).toString('base64')}`
}

const image = (url: unknown) => ({ type: 'image_url', image_url: url })
const text = { type: 'text', text: 'What is this?' }

async function send(content: unknown[], encode: (body: unknown) => string = JSON.stringify) {
  await using service = await startService()
  const messages = [
    { role: 'system', content: 'x' },
    { role: 'user', content },
  ]
  const response = await service.post('chat', encode({ model: 'm', messages, n: 1 }))
  expect(response.status).toBe(200)
  const body = JSON.parse(service.received().body.toString()) as { messages: [object, object] }
  return { losses: response.headers.get('x-dragoman-losses'), user: body.messages[1], body }
}

test.each([limit - 1, limit])('an image of %i bytes is passed on', async (bytes) => {
  const content = [text, image({ url: imageOf(bytes), detail: 'low' })]
  const { losses, user } = await send(content)
  expect(losses).toBeNull()
  expect(user).toEqual({ role: 'user', content })
})

test.each([limit + 1, limit + 3])('one of %i bytes is discarded', async (bytes) => {
  const small = image({ url: imageOf(10) })
  const { losses, user, body } = await send([text, image({ url: imageOf(bytes) }), small])
  expect(losses).toBe('messages[1].content[1]')
  expect(user).toEqual({ role: 'user', content: [text, small] })
  expect(body).toMatchObject({ n: 1, model: 'm' })
})

test('several are discarded and each is told', async () => {
  const large = image(imageOf(limit + 1))
  const { losses, user } = await send([large, large, text, large])
  expect(losses).toBe('messages[1].content[0], messages[1].content[1], messages[1].content[3]')
  expect(user).toEqual({ role: 'user', content: [text] })
})

test('a message of nothing but a discarded image keeps an empty text', async () => {
  const { losses, user } = await send([image({ url: imageOf(limit + 1) })])
  expect(losses).toBe('messages[1].content[0]')
  expect(user).toEqual({ role: 'user', content: [{ type: 'text', text: '' }] })
})

test('an image is as large as its bytes, however its slashes are written', async () => {
  const escaped = (body: unknown) => JSON.stringify(body).replaceAll('/', '\\/')
  const content = [text, image({ url: imageOf(limit - 1) })]
  const { losses, user } = await send(content, escaped)
  expect(losses).toBeNull()
  expect(user).toEqual({ role: 'user', content })
})

test('images elsewhere are the upstream’s to judge', async () => {
  await using service = await startService()
  const url = imageOf(limit + 1)
  const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }]
  const response = await service.ask('responses', { input })
  expect(response.headers.get('x-dragoman-losses')).toBeNull()
  expect(service.received().body.includes(url)).toBe(true)
})
