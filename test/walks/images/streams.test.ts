import { expect, test } from 'vitest'

import { answerStream, startFakeAccount } from '../../../src/testing/index.ts'
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

test.each(['cut=0', 'status=500', 'status=429', 'reset', 'json', 'error=0'])(
  'a stream that never began (%s) is asked of the next account',
  async (steering) => {
    await using stage = await imageStage({ accounts })
    const response = await watch(stage, `only=a; ${steering}`)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    expect(eventsIn(await response.text()).at(-1)).toBe('image_edit.completed')
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

test('an account may end its streams with `[DONE]`', async () => {
  const event = { type: 'image_generation.completed', b64_json: 'AAAA', usage: {} }
  const frame = `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  await using account = await startFakeAccount(answerStream([frame, 'data: [DONE]\n\n']))
  await using stage = await imageStage({
    accounts: [{ provider: 'openai', baseUrl: `${account.url}/v1` }],
  })
  const body = { prompt: 'x', model: 'gpt-image-1', stream: true }
  const response = await stage.json(body, '/v1/images/generations')
  expect(await response.text()).toBe(`${frame}data: [DONE]\n\n`)
  const [line] = await stage.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'complete' })
})
