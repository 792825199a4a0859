import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { clientsOf } from './clients.ts'

test('a response is kept, continued, listed and deleted by the account that made it', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const first = await openai.responses.create({ model: 'm', input: 'my name is Ada' })
  const second = await openai.responses.create({
    model: 'm',
    input: 'hi',
    previous_response_id: first.id,
  })
  expect(second.previous_response_id).toBe(first.id)
  expect(second.usage?.input_tokens).toBeGreaterThan(first.usage?.input_tokens ?? 0)

  expect((await openai.responses.retrieve(first.id)).output_text).toBe('You said: my name is Ada')
  const items = await openai.responses.inputItems.list(first.id)
  expect(items.data).toMatchObject([{ type: 'message', role: 'user' }])

  await openai.responses.delete(first.id)
  await expect(openai.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 })
})

test('ids that the account did not issue, or did not store, cannot be continued', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const other = clientsOf(sandbox, 'sandbox-key-b').openai
  const kept = await openai.responses.create({ model: 'm', input: 'hi' })
  const forgotten = await openai.responses.create({ model: 'm', input: 'hi', store: false })

  const continueFrom = (client: typeof openai, id: string) =>
    client.responses.create({ model: 'm', input: 'on', previous_response_id: id })
  const notFound = {
    status: 400,
    code: 'previous_response_not_found',
    param: 'previous_response_id',
    type: 'invalid_request_error',
  }
  await expect(continueFrom(other, kept.id)).rejects.toMatchObject(notFound)
  await expect(continueFrom(openai, forgotten.id)).rejects.toMatchObject(notFound)
  await expect(continueFrom(openai, 'resp_unheard_of')).rejects.toMatchObject(notFound)
  expect((await continueFrom(openai, kept.id)).status).toBe('completed')
})

test('items are referred to by id, within the account', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const { output } = await openai.responses.create({ model: 'm', input: 'hi' })
  const input = [{ id: output[0]?.id ?? '' }, { role: 'user' as const, content: 'on' }]
  const request = { model: 'm', input: input as never }
  expect((await openai.responses.create(request)).output_text).toBe('You said: on')
  const other = clientsOf(sandbox, 'sandbox-key-b').openai
  await expect(other.responses.create(request)).rejects.toMatchObject({ status: 404 })
})

test('a conversation nobody opened is not found', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const request = { model: 'm', input: 'hi', conversation: 'conv_1' }
  await expect(openai.responses.create(request)).rejects.toMatchObject({ status: 404 })
})

test('background work is queued, done when asked after, and can be cancelled before', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const request = { model: 'm', input: 'hi', background: true }
  const queued = await openai.responses.create(request)
  expect(queued).toMatchObject({ status: 'queued', output: [] })
  const done = await openai.responses.retrieve(queued.id)
  expect(done).toMatchObject({ status: 'completed', output_text: 'You said: hi' })

  const second = await openai.responses.create(request)
  expect((await openai.responses.cancel(second.id)).status).toBe('cancelled')
  expect((await openai.responses.retrieve(second.id)).status).toBe('cancelled')

  const foreground = await openai.responses.create({ model: 'm', input: 'hi' })
  await expect(openai.responses.cancel(foreground.id)).rejects.toMatchObject({ status: 400 })
})

test('the stream of a stored response can be had again, from any event on', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const { id } = await openai.responses.create({ model: 'm', input: 'hi', background: true })
  const numbers: number[] = []
  for await (const event of await openai.responses.retrieve(id, {
    stream: true,
    starting_after: 2,
  }))
    numbers.push(event.sequence_number)
  expect(numbers[0]).toBe(3)
  expect((await openai.responses.stream({ response_id: id }).finalResponse()).id).toBe(id)
})

test('input items come in pages', async () => {
  await using sandbox = await startSandbox()
  const { openai } = clientsOf(sandbox)
  const input = ['one', 'two', 'three'].map((content) => ({ role: 'user' as const, content }))
  const { id } = await openai.responses.create({ model: 'm', input })
  const contents: unknown[] = []
  for await (const item of openai.responses.inputItems.list(id, { limit: 2, order: 'asc' }))
    contents.push(...('content' in item ? (item.content as { text: string }[]) : []))
  expect(contents).toMatchObject(['one', 'two', 'three'].map((text) => ({ text })))
})
