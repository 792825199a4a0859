import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { clientsOf } from './clients.ts'
import { noPrevious, noResponse } from './refusals.ts'
import { startStalled } from './stalled-work.ts'

const request = { model: 'm', input: 'hi', background: true } as const

describe('work in the background', () => {
  test('begins when it is first asked after, and takes the time that its stream would', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const model = 'sandbox/words=2000+pace=20'
    const { id, status } = await responses.create({ ...request, model })
    expect(status).toBe('queued')

    await until(async () => (await responses.retrieve(id)).status === 'in_progress')

    expect((await responses.cancel(id)).status).toBe('cancelled')
  })

  test('goes from queued to in progress to completed, and never back', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { id } = await responses.create({ ...request, model: 'sandbox/pace=15' })

    const seen: unknown[] = []
    await until(async () => {
      const { status } = await responses.retrieve(id)
      if (status !== seen.at(-1)) seen.push(status)
      return status === 'completed'
    })

    const inOrder = ['queued', 'in_progress', 'completed']
    expect(seen).toEqual(inOrder.filter((status) => seen.includes(status)))
    expect((await responses.retrieve(id)).output_text).toBe('You said: hi')
  })

  test('stays in progress when it is told to stall', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { responses } = openai
    const id = await startStalled(openai)

    expect(await responses.retrieve(id)).toMatchObject({
      status: 'in_progress',
      background: true,
      output: [],
      completed_at: null,
      usage: null,
    })
    const next = responses.create({ model: 'm', input: 'on', previous_response_id: id })
    await expect(next).rejects.toMatchObject(noPrevious(id))
  })

  test('goes on although its stream breaks off', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    let id = ''
    const reading = (async () => {
      const headers = { 'x-sandbox': 'cut=4' }
      for await (const event of await responses.create({ ...request, stream: true }, { headers }))
        if (event.type === 'response.created') ({ id } = event.response)
    })()

    await expect(reading).rejects.toThrow('terminated')
    expect((await responses.retrieve(id)).output_text).toBe('You said: hi')
    const next = await responses.create({ model: 'm', input: 'on', previous_response_id: id })
    expect(next.status).toBe('completed')
  })
})

describe('a client cancels work in the background', () => {
  test('while it is queued or in progress, as often as it likes', async () => {
    await using sandbox = await startSandbox()
    const { openai } = clientsOf(sandbox)
    const { responses } = openai
    const queued = await responses.create(request)
    const running = await startStalled(openai)

    for (const id of [queued.id, running]) {
      const cancelled = await responses.cancel(id)
      expect(cancelled).toMatchObject({ id, status: 'cancelled', output: [], completed_at: null })
      expect(await responses.cancel(id)).toEqual(cancelled)
      expect(await responses.retrieve(id)).toMatchObject(cancelled)
      const next = responses.create({ model: 'm', input: 'on', previous_response_id: id })
      await expect(next).rejects.toMatchObject(noPrevious(id))
    }
  })

  test.each([
    ['completed', 'm', 'Cannot cancel a completed response.'],
    ['failed', 'sandbox/finish=failed', 'Cannot cancel a failed response.'],
    ['incomplete', 'sandbox/finish=max_output_tokens', 'Cannot cancel an incomplete response.'],
  ])('but not once it is %s', async (status, model, message) => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { id } = await responses.create({ ...request, model })
    expect(await responses.retrieve(id)).toMatchObject({ status })

    await expect(responses.cancel(id)).rejects.toMatchObject({ status: 400, error: { message } })
    expect(await responses.retrieve(id)).toMatchObject({ status })
  })

  test('but no other work, nor that of nobody', async () => {
    await using sandbox = await startSandbox()
    const { responses } = clientsOf(sandbox).openai
    const { id } = await responses.create({ model: 'm', input: 'hi' })

    const message = 'Cannot cancel a synchronous response.'
    await expect(responses.cancel(id)).rejects.toMatchObject({ status: 400, error: { message } })
    await expect(responses.cancel('resp_1')).rejects.toMatchObject(noResponse('resp_1'))
  })
})

test('work in the background cannot be deleted before it has ended', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const { responses } = openai
  const id = await startStalled(openai)

  const message = 'Cannot delete an in-flight response.'
  await expect(responses.delete(id)).rejects.toMatchObject({ status: 400, error: { message } })
  await responses.cancel(id)
  await responses.delete(id)

  await expect(responses.retrieve(id)).rejects.toMatchObject(noResponse(id))
})
