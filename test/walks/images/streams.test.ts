import { expect, test } from 'vitest'

import { answerStream, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { pngFile } from '../../sandbox/pictures.ts'
import { imageStage, type ImageStage } from './stage.ts'

/** A streamed edit of the sandbox, which is told by `x-sandbox` how to go about it. */
async function watch({ gateway }: ImageStage, steering = '', fields: Record<string, string> = {}) {
  const form = new FormData()
  form.append('image', pngFile())
  const usual = { model: 'gpt-image-1', prompt: 'x', stream: 'true', partial_images: '3' }
  for (const [name, value] of Object.entries({ ...usual, ...fields })) form.append(name, value)
  return fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'x-sandbox': steering },
    body: form,
  })
}

function eventsIn(text: string): string[] {
  return [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name ?? '')
}

const accounts = [{ id: 'a' }, { id: 'b', priority: 1 }]

test('the frames of an edit pass as they are, and its usage is known', async () => {
  await using stage = await imageStage()
  const response = await watch(stage)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(eventsIn(await response.text())).toEqual([
    ...Array.from({ length: 3 }, () => 'image_edit.partial_image'),
    'image_edit.completed',
  ])
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete', input_tokens: 195, output_tokens: 1056 })
})

test('an edit of two images is complete with the second', async () => {
  await using stage = await imageStage()
  const response = await watch(stage, '', { n: '2', partial_images: '0' })
  const twice = ['image_edit.completed', 'image_edit.completed']
  expect(eventsIn(await response.text())).toEqual(twice)
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete' })
})

test.each(['cut=2', 'half=1', 'eof=2', 'malformed=2', 'error=2'])(
  'a stream that breaks (%s) is told to be broken, and is no success',
  async (steering) => {
    await using stage = await imageStage({ accounts })
    const events = eventsIn(await (await watch(stage, steering)).text())
    expect(events[0]).toBe('image_edit.partial_image')
    expect(events.at(-1)).toBe('error')
    expect(events).not.toContain('image_edit.completed')
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken', attempts: 1 })
  },
)

test('a stream that ends before all images are there is no success', async () => {
  await using stage = await imageStage()
  const response = await watch(stage, 'eof=1', { n: '2', partial_images: '0' })
  expect(eventsIn(await response.text())).toEqual(['image_edit.completed', 'error'])
})

test.each(['status=500', 'status=429', 'error=0'])(
  'a stream that was refused before it began (%s) is asked of the next account',
  async (steering) => {
    await using stage = await imageStage({ accounts })
    const response = await watch(stage, `only=a; ${steering}`)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    expect(eventsIn(await response.text()).at(-1)).toBe('image_edit.completed')
  },
)

test.each(['cut=0', 'reset', 'json'])(
  'a stream of which nothing came (%s) may be paid for, and is asked of nobody else',
  async (steering) => {
    await using stage = await imageStage({ accounts })
    const response = await watch(stage, `only=a; ${steering}`)
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([502, 'false'])
    expect(stage.sandbox.requests).toHaveLength(1)
  },
)

test('an SDK raises where a stream breaks', async () => {
  await using stage = await imageStage()
  const stream = await stage.openai.images.generate(
    { model: 'gpt-image-1', prompt: 'x', stream: true, partial_images: 2 },
    { headers: { 'x-sandbox': 'cut=1' } },
  )
  const read = async () => {
    for await (const event of stream) expect(event.type).toBe('image_generation.partial_image')
  }
  await expect(read()).rejects.toThrow('The connection to the upstream failed.')
})

const completed = frameOf({ type: 'image_generation.completed', b64_json: 'AAAA', usage: {} })
const done = 'data: [DONE]\n\n'

function frameOf(event: { type: string; b64_json: string; usage?: object }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

/** What comes of a stream of these pieces where so many images are asked for, and how it ended. */
async function generated(pieces: readonly string[], n: number) {
  await using account = await startFakeAccount(answerStream(pieces))
  await using stage = await imageStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const body = { prompt: 'x', model: 'gpt-image-1', stream: true, n }
  const response = await stage.json(body, '/v1/images/generations')
  const text = await response.text()
  const [line] = await stage.gateway.logged(1)
  return { status: response.status, text, end: line?.['stream_end'] }
}

test('an account may end its streams with `[DONE]`', async () => {
  const { text, end } = await generated([completed, done], 1)
  expect([text, end]).toEqual([completed + done, 'complete'])
})

test('an account that has made fewer images than were asked for says so by its `[DONE]`', async () => {
  const { status, text, end } = await generated([completed, done], 2)
  expect([status, text, end]).toEqual([200, completed + done, 'complete'])
})

test('`[DONE]` without an image is no end of anything', async () => {
  const draft = frameOf({ type: 'image_generation.partial_image', b64_json: 'AAAA' })
  for (const pieces of [[done], [draft, done]]) {
    const { text } = await generated(pieces, 1)
    expect(text).toContain('"error":')
    expect(text).not.toContain(done)
  }
})
