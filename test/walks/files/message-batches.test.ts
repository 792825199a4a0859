import Anthropic from 'anthropic-1'
import { expect, test } from 'vitest'

import type { LedgerRow } from '../../../src/contract/ledger-row.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { type FilesStage, filesStage } from './stage.ts'

const speaks = ['messages', 'message-batches']

const stageOf = (options: Parameters<typeof filesStage>[0] = {}) =>
  filesStage({
    ...options,
    accounts: (options.accounts ?? [{ id: 'a' }]).map((one) => ({ speaks, ...one })),
  })

function clientOf({ gateway }: FilesStage, key = 'one') {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: `secret-${key}`, maxRetries: 0 })
  return client.messages.batches
}

const request = (id: string, model = 'm', params: object = {}) => ({
  custom_id: id,
  params: {
    model,
    max_tokens: 16,
    messages: [{ role: 'user' as const, content: `Hello ${id}` }],
    ...params,
  },
})

async function finished(batches: ReturnType<typeof clientOf>, id: string) {
  for (;;) {
    const batch = await batches.retrieve(id)
    if (batch.processing_status === 'ended') return batch
  }
}

test('a batch of messages runs, and its results lead to the gateway', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const batches = clientOf(stage)
  const created = await batches.create({
    requests: [request('1'), request('2'), request('3', 'm', { nonsense: 1 })],
  })
  expect(created.id).toMatch(/^msgbatch_[0-9a-z]{29}$/)
  expect(created).toMatchObject({ type: 'message_batch', results_url: null })
  const done = await finished(batches, created.id)
  expect(done.results_url).toBe(`${stage.gateway.url}/v1/messages/batches/${created.id}/results`)
  expect(done.request_counts).toMatchObject({ succeeded: 2, errored: 1 })
  const seen: string[] = []
  for await (const { custom_id, result } of await batches.results(created.id))
    seen.push(`${custom_id} ${result.type}`)
  expect(seen).toEqual(['1 succeeded', '2 succeeded', '3 errored'])
  const headers = { 'x-api-key': 'secret-one', 'anthropic-version': '2023-06-01' }
  const read = await fetch(done.results_url ?? '', { headers })
  expect(Object.fromEntries(read.headers)).toMatchObject({
    'content-type': 'application/x-jsonl',
    'content-disposition': `attachment; filename="${created.id}"`,
    'content-security-policy': "default-src 'none'; sandbox",
  })
  expect((await batches.list()).data).toEqual([done])
  expect(await batches.delete(created.id)).toEqual({
    id: created.id,
    type: 'message_batch_deleted',
  })
  await expect(batches.retrieve(created.id)).rejects.toMatchObject({ status: 404 })
})

test('a batch of messages can be cancelled, and lists have pages', async () => {
  await using stage = await stageOf()
  const batches = clientOf(stage)
  const ids: string[] = []
  for (const id of ['1', '2', '3'])
    ids.unshift((await batches.create({ requests: [request(id)] })).id)
  const all: string[] = []
  for await (const { id } of batches.list({ limit: 1 })) all.push(id)
  expect(all).toEqual(ids)
  const before = await batches.list({ before_id: ids[2]!, limit: 1 })
  expect(before.data.map(({ id }) => id)).toEqual([ids[1]])
  const [id = ''] = ids
  expect((await batches.cancel(id)).processing_status).toBe('canceling')
  expect((await finished(batches, id)).request_counts.canceled).toBe(1)
})

test('names of models are the account’s, each request’s own, and the rest stays', async () => {
  await using stage = await stageOf({
    accounts: [{ id: 'a', models: { m: 'claude-m', n: 'claude-n' } }],
  })
  await clientOf(stage).create({ requests: [request('1'), request('2', 'n')] })
  const sent = String(stage.sandbox.requests.at(-1)?.body)
  expect(JSON.parse(sent)).toEqual({
    requests: [request('1', 'claude-m'), request('2', 'claude-n')],
  })
})

test.each([
  ['a forbidden model', request('2', 'secret'), 404],
  ['an unknown model', request('2', 'nowhere'), 404],
  ['a forbidden stand-in', request('2', 'm', { fallbacks: [{ model: 'secret' }] }), 404],
  ['no messages', { custom_id: '2', params: { model: 'm', max_tokens: 1 } }, 400],
  ['a stream', request('2', 'm', { stream: true }), 400],
  ['no id', { params: request('2').params }, 400],
  ['no request', { custom_id: '2' }, 400],
  ['a container of others', request('2', 'm', { container: 'container_1' }), 400],
])('a batch with %s is refused as a whole, with its place', async (_, wrong, status) => {
  await using stage = await stageOf({
    accounts: [{ id: 'a', models: ['m', 'secret'] }],
    keys: [{ id: 'one', secret: 'secret-one', models: ['m'] }],
  })
  const refused = clientOf(stage).create({ requests: [request('1'), wrong as never] })
  await expect(refused).rejects.toMatchObject({
    status,
    message: expect.stringContaining('requests[1]: ') as string,
  })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a request whose parameters an account could read in two ways is refused', async () => {
  await using stage = await stageOf({ accounts: [{ id: 'a', models: ['m', 'secret'] }] })
  const [one, two] = ['secret', 'm'].map((model) => JSON.stringify(request('1', model).params))
  const response = await fetch(`${stage.gateway.url}/v1/messages/batches`, {
    method: 'POST',
    headers: {
      'x-api-key': 'secret-one',
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: `{"requests":[{"custom_id":"1","params":${one},"params":${two}}]}`,
  })
  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('requests.params'),
  ])
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a batch of messages of another key is unknown', async () => {
  await using stage = await stageOf()
  const { id } = await clientOf(stage).create({ requests: [request('1')] })
  const asked = stage.sandbox.requests.length
  const others = clientOf(stage, 'two')
  for (const ask of [
    () => others.retrieve(id),
    () => others.cancel(id),
    () => others.delete(id),
    () => others.results(id),
  ])
    await expect(ask()).rejects.toMatchObject({ status: 404, error: { type: 'error' } })
  expect((await others.list()).data).toEqual([])
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('while the store or the account is away, a batch of messages is not unknown', async () => {
  const store = breakable(openMemoryStore())
  await using stage = await stageOf({ store })
  const batches = clientOf(stage)
  const { id } = await batches.create({ requests: [request('1')] })
  store.broken.reads = true
  for (const ask of [() => batches.retrieve(id), () => batches.cancel(id), () => batches.list()])
    await expect(ask()).rejects.toMatchObject({ status: 503 })
  store.broken.reads = false
  await stage.sandbox[Symbol.asyncDispose]()
  const { response } = await batches.retrieve(id).withResponse()
  expect(response.headers.get('x-dragoman-stale')).toBe('true')
})

test('the use of a batch of messages is the sum of its results, once, at half its price', async () => {
  const rows: LedgerRow[] = []
  const rates = { input: 500, output: 1_000 }
  await using stage = await stageOf({
    accounts: [{ id: 'a', prices: { m: { rates, tiers: { batch: '0.5' } } } }],
    plugins: [{ name: 'rows', onLedger: (input) => void rows.push(...input.rows) }],
  })
  const batches = clientOf(stage)
  const { id } = await batches.create({ requests: [request('1'), request('2')] })
  await finished(batches, id)
  let [inputTokens, outputTokens] = [0, 0]
  for await (const { result } of await batches.results(id)) {
    if (result.type !== 'succeeded') continue
    inputTokens += result.message.usage.input_tokens
    outputTokens += result.message.usage.output_tokens
  }
  await batches.delete(id)
  const ends = () => rows.filter(({ operation }) => operation === 'batch.ended')
  await expect.poll(ends).toHaveLength(1)
  expect(ends()[0]).toMatchObject({
    usage: 'reported',
    tokens: { inputTokens, outputTokens, tier: 'batch' },
    costNano: (inputTokens * 500 + outputTokens * 1_000) * 1_000 * 0.5,
  })
})
