import type OpenAI from 'openai-7'
import { describe, expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'
import { eventsOfStalled, startStalled } from './stalled-work.ts'

const request = { model: 'm', input: 'hi', background: true, stream: true } as const

type Event = OpenAI.Responses.ResponseStreamEvent

async function collect(asked: Promise<AsyncIterable<Event>>): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of await asked) events.push(event)
  return events
}

const idIn = ([first]: Event[]) => (first?.type === 'response.created' ? first.response.id : '')

describe('a client that has streamed work of the background', () => {
  test('is told the same events again, from any of them on', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const told = await collect(responses.create(request))
    const id = idIn(told)

    expect(await collect(responses.retrieve(id, { stream: true }))).toEqual(told)
    for (const starting_after of [0, 4, told.length - 1]) {
      const again = await collect(responses.retrieve(id, { stream: true, starting_after }))
      expect(again).toEqual(told.slice(starting_after + 1))
    }
    expect(told.map(({ sequence_number }) => sequence_number)).toEqual([...told.keys()])
    expect(told.slice(0, 3).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
    ])
  })

  test('is told how far it got before it was cancelled', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { responses } = openai
    const id = await startStalled(openai)
    await responses.cancel(id)

    const told = await collect(responses.retrieve(id, { stream: true, starting_after: 3 }))

    expect(told.map(({ type }) => type)).toEqual(['response.content_part.added', 'response.failed'])
    expect(told.at(-1)).toMatchObject({
      sequence_number: eventsOfStalled,
      response: { id, status: 'cancelled', output: [] },
    })
  })

  test('is told only while it is fresh', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const id = idIn(await collect(responses.create(request)))
    using clock = vi.spyOn(Date, 'now')
    clock.mockReturnValue(Date.now() + 301_000)

    await expect(responses.retrieve(id, { stream: true })).rejects.toMatchObject({
      status: 400,
      param: 'stream',
      message: expect.stringContaining('more than 5 minutes old'),
    })
    expect(await responses.retrieve(id)).toMatchObject({ status: 'completed' })
  })
})

test('work of the foreground is not told again', async () => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai
  const { id } = await responses.create({ model: 'm', input: 'hi' })

  await expect(responses.retrieve(id, { stream: true })).rejects.toMatchObject({
    status: 400,
    param: 'stream',
    code: 'invalid_request_error',
  })
})

test('events are counted in whole numbers', async () => {
  await using sandbox = await startSandbox()
  const { responses } = clientsOf(sandbox).openai
  const id = idIn(await collect(responses.create(request)))

  for (const starting_after of [-1, 0.5]) {
    const asked = responses.retrieve(id, { stream: true, starting_after })
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'starting_after' })
  }
})
