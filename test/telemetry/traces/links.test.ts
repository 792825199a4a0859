import { expect, test } from 'vitest'

import { createBindings } from '../../../src/stores/bindings.ts'
import { openStore } from '../../../src/stores/open.ts'
import { serverOf, tracedStage } from './stage.ts'

const model = 'sandbox/echo'

async function idOf(response: Response): Promise<string> {
  return ((await response.json()) as { id: string }).id
}

test('a response that continues another links to the trace that produced it', async () => {
  await using stage = await tracedStage()
  const first = await stage.ask('/v1/responses', { model, input: 'one' })
  const id = await idOf(first)
  const second = await stage.ask('/v1/responses', { model, input: 'two', previous_response_id: id })
  expect(second.status).toBe(200)
  const read = await stage.ask(`/v1/responses/${id}`)
  await Promise.all([second.text(), read.text()])

  const produced = serverOf(await stage.traceOf(first))
  const { links } = serverOf(await stage.traceOf(second))
  const place = { traceId: produced.traceId, spanId: produced.spanId }
  const attributes = { 'dragoman.link.reason': 'continues' }
  expect(links).toEqual([{ ...place, attributes }])
  expect(produced.links).toEqual([])
  const reader = serverOf(await stage.traceOf(read))
  expect(reader.links).toEqual([{ ...place, attributes: { 'dragoman.link.reason': 'refers_to' } }])
})

test('a turn of a conversation links to the trace that created the conversation', async () => {
  await using stage = await tracedStage()
  const created = await stage.ask('/v1/conversations', { metadata: {} })
  const conversation = await idOf(created)
  const turn = await stage.ask('/v1/responses', { model, input: 'hi', conversation })
  await turn.text()

  const { traceId } = serverOf(await stage.traceOf(created))
  const spans = await stage.traceOf(turn)
  expect(serverOf(spans).links).toMatchObject([{ traceId }])
  const operation = spans.find(({ name }) => name === `chat ${model}`)
  expect(operation?.attributes['gen_ai.conversation.id']).toBe(conversation)
})

test.each([
  ['/v1/videos', { model: 'sandbox/polls=2', prompt: 'a' }],
  [
    '/v1beta/models/sandbox%2Fpolls=2:predictLongRunning',
    { instances: [{ prompt: 'a' }], parameters: {} },
  ],
])('each poll of a job links to its creation (%s)', async (path, body) => {
  await using stage = await tracedStage()
  const created = await stage.ask(path, body)
  expect(created.status).toBe(200)
  const { id, name } = (await created.json()) as { id?: string; name?: string }
  const job = id === undefined ? `/v1beta/${name}` : `/v1/videos/${id}`
  const polls = [await stage.ask(job), await stage.ask(job)]
  await Promise.all(polls.map((poll) => poll.text()))

  const creation = await stage.traceOf(created)
  const { traceId, spanId } = serverOf(creation)
  expect(creation.map((span) => span.name)).toContainEqual(
    expect.stringMatching(/^video_generation sandbox.polls=2$/),
  )
  for (const poll of polls) {
    const spans = await stage.traceOf(poll)
    const attributes = { 'dragoman.link.reason': 'job' }
    expect(serverOf(spans).links).toEqual([{ traceId, spanId, attributes }])
    expect(serverOf(spans).traceId).not.toBe(traceId)
    const fetched = spans.find((span) => span.name.startsWith('fetch_response'))
    expect(fetched?.attributes).not.toHaveProperty('gen_ai.usage.input_tokens')
  }
})

const old = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test.each([
  ['no trace', undefined],
  ['a trace that is no text', 7],
  ['a trace with a zero id', old.replace(/-[^-]{32}-/, `-${'0'.repeat(32)}-`)],
  ['a longer one', `${old}-more`],
  ['another version', old.replace('00-', '01-')],
  ['upper case', old.toUpperCase()],
  ['a huge one', 'x'.repeat(100_000)],
])('a record with %s still works, and links to nothing', async (_, trace) => {
  await using store = await openedStore()
  const now = Date.now()
  await createBindings(store.records('bindings')).save(
    { kind: 'response', keyId: 'test', id: 'resp_a_0' },
    {
      account: 'a',
      model,
      ...(trace !== undefined && { trace: trace as string }),
      chainUntil: now + 60_000,
      expiresAt: now + 60_000,
    },
  )
  await using stage = await tracedStage({ store })
  const asked = await stage.ask('/v1/responses', {
    model,
    input: 'x',
    previous_response_id: 'resp_a_0',
  })
  // The account knows no such response; the gateway has found its record.
  expect([asked.status, asked.headers.get('x-dragoman-account')]).toEqual([400, 'a'])
  await asked.text()
  expect(serverOf(await stage.traceOf(asked)).links).toEqual([])
})

test('a job whose record has a damaged trace is polled as before', async () => {
  await using store = await openedStore()
  await using stage = await tracedStage({ store })
  const created = await stage.ask('/v1/videos', { model: 'sandbox/polls=1', prompt: 'a' })
  const id = await idOf(created)
  const records = store.records<object>('jobs', { listed: true })
  const [record] = await records.list({ limit: 1 })
  await records.update(record?.id ?? '', (job) => ({
    ...job,
    trace: { hostile: 'x'.repeat(1_000) },
  }))
  const poll = await stage.ask(`/v1/videos/${id}`)
  expect([poll.status, await idOf(poll)]).toEqual([200, id])
  expect(serverOf(await stage.traceOf(poll)).links).toEqual([])
})

async function openedStore() {
  const store = await openStore('memory:', { cwd: '/' })
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}
