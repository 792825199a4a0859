import { describe, expect, test } from 'vitest'

import { type Answer, answerStream } from '../../src/testing/fake-account.ts'
import { type Owner, startOwner } from '../walks/chaining/owner.ts'
import { cut, openStream } from '../walks/streams/scripted.ts'

const event = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const delta = (number: number) =>
  event('response.output_text.delta', { sequence_number: number, delta: `${number} ` })

const ended = (status: string) =>
  event(`response.${status}`, {
    sequence_number: 9,
    response: { id: 'x1', object: 'response', status, output: [] },
  })

async function replay(owner: Owner, script: Answer, query = 'stream=true') {
  owner.script = script
  const response = await owner.ask('GET', `/v1/responses/x1?${query}`)
  const type = response.headers.get('content-type')
  return { status: response.status, type, text: await response.text() }
}

const eventStream = { status: 200, type: 'text/event-stream; charset=utf-8' }

describe('the events of a stored response', () => {
  test('are told from the middle on as they come', async () => {
    await using owner = await startOwner()
    const frames = [delta(7), delta(8), ended('completed')]
    const query = 'stream=true&starting_after=6&include_obfuscation=false'

    expect(await replay(owner, answerStream(frames), query)).toEqual({
      ...eventStream,
      text: frames.join(''),
    })

    expect(owner.requests).toMatchObject([{ method: 'GET', url: `/v1/responses/x1?${query}` }])
    expect(owner.requests[0]?.headers.accept).toBe('text/event-stream')
  })

  test.each(['completed', 'incomplete', 'failed'])(
    'may be the last one alone: %s',
    async (status) => {
      await using owner = await startOwner()
      const last = ended(status)
      expect(await replay(owner, answerStream([last]))).toEqual({ ...eventStream, text: last })
      expect((await owner.gateway.logged(3))[2]).toMatchObject({
        route: 'responses.retrieve',
        stream_end: 'complete',
        response_id: 'x1',
      })
    },
  )

  test('are told as they were, with the error that the response failed of', async () => {
    await using owner = await startOwner()
    const frames = [
      event('response.created', { response: { id: 'x1', status: 'in_progress' } }),
      event('error', { code: 'server_error', message: 'overworked', sequence_number: 1 }),
      ended('failed'),
    ]
    expect(await replay(owner, answerStream(frames))).toEqual({
      ...eventStream,
      text: frames.join(''),
    })
    expect(owner.gateway.log).toEqual([])
  })

  test('come at once, though nothing but announcements is there yet', async () => {
    await using owner = await startOwner()
    const created = event('response.created', { response: { id: 'x1', status: 'queued' } })
    owner.script = (response) => openStream(response, [created])

    const response = await owner.ask('GET', '/v1/responses/x1?stream=true')
    const { value } = (await response.body?.getReader().read()) ?? {}

    expect(Buffer.from(value ?? []).toString()).toBe(created)
  })
})

describe('a replay that breaks', () => {
  const cuts = [
    {
      how: 'it is cut',
      code: 'upstream_unreachable',
      script: (frames: string[]): Answer => {
        return (response) => {
          openStream(response, frames)
          cut(response)
        }
      },
    },
    { how: 'it ends too soon', code: 'upstream_stream_broken', script: answerStream },
  ]

  test.each(cuts)('because $how is an error', async ({ code, script }) => {
    await using owner = await startOwner()
    const frames = [delta(7), delta(8)]

    const { text } = await replay(owner, script(frames), 'stream=true&starting_after=6')

    const passed = frames.join('')
    expect(text.slice(0, passed.length)).toBe(passed)
    const [told = '', done] = text.slice(passed.length).split('\n\n')
    expect(JSON.parse(told.split('data: ')[1] ?? '')).toMatchObject({
      type: 'error',
      sequence_number: 9,
      code,
      error: { code: 502 },
    })
    // The response itself may be doing well.
    expect(text).not.toContain('response.failed')
    expect(done).toBe('data: [DONE]')
  })

  test('before its first event is an error of its own', async () => {
    await using owner = await startOwner()
    expect(await replay(owner, answerStream([]))).toMatchObject({ status: 502 })
  })
})
