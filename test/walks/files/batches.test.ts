import { monitorEventLoopDelay } from 'node:perf_hooks'

import { toFile } from 'openai-7'
import { expect, test } from 'vitest'

import type { LedgerRow } from '../../../src/contract/ledger-row.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { clientOf, filesStage, finished, jsonl, line, orderBatch } from './stage.ts'

test('a batch runs at the account of its file, and its results are files of the key', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai } = stage
  const lines = [line('1'), line('2'), line('3', 'm', { nonsense: 9 })]
  const batch = await orderBatch(openai, ...lines)
  expect(batch.id).toMatch(/^batch_[0-9a-z]{29}$/)
  expect(batch).toMatchObject({ object: 'batch', status: 'validating', output_file_id: null })
  const done = await finished(openai, batch.id)
  expect(done).toMatchObject({
    id: batch.id,
    status: 'completed',
    input_file_id: batch.input_file_id,
    request_counts: { total: 3, completed: 2, failed: 1 },
  })
  const output = await (await openai.files.content(done.output_file_id ?? '')).text()
  expect(
    output
      .trim()
      .split('\n')
      .map((one) => (JSON.parse(one) as Line).custom_id),
  ).toEqual(['1', '2'])
  const errors = await (await openai.files.content(done.error_file_id ?? '')).text()
  expect((JSON.parse(errors) as Line).custom_id).toBe('3')
  const listed = (await openai.files.list()).data
  expect(new Set(listed.map(({ id }) => id))).toEqual(
    new Set([batch.input_file_id, done.output_file_id, done.error_file_id]),
  )
  expect(listed.find(({ id }) => id === done.output_file_id)?.purpose).toBe('batch_output')
  expect((await openai.batches.list()).data).toEqual([done])
  // What is over is not asked for again.
  const asked = stage.sandbox.requests.length
  expect(await openai.batches.retrieve(batch.id)).toEqual(done)
  expect(stage.sandbox.requests).toHaveLength(asked)
})

interface Line {
  readonly custom_id: string
}

test('a batch can be cancelled', async () => {
  await using stage = await filesStage()
  const { openai } = stage
  const { id } = await orderBatch(openai, line('1'))
  expect((await openai.batches.cancel(id)).status).toBe('cancelling')
  expect((await finished(openai, id)).status).toBe('cancelled')
  await expect(openai.batches.cancel(id)).rejects.toMatchObject({ status: 409 })
})

test('names of models in lines are the account’s, and the rest stays byte by byte', async () => {
  await using stage = await filesStage({
    accounts: [{ id: 'a', models: { m: 'gpt-own' } }],
    aliases: { fast: 'm' },
  })
  const odd =
    '{ "body" : {"messages":[{"role":"user","content":"\\u0041 1.0e5"}],"seed":9007199254740993, "model" : "fast"},"custom_id":"x","method":"POST","url":"/v1/chat/completions" }'
  await stage.openai.files.create({ file: await jsonl(line('1'), odd), purpose: 'batch' })
  const sent = String(stage.sandbox.requests.at(-1)?.body)
  expect(sent).toContain(odd.replace('"fast"', '"gpt-own"'))
  expect(sent).toContain(line('1').replace('"model":"m"', '"model":"gpt-own"'))
})

test('a batch of 1,000 lines with one forbidden model is refused as a whole, with the line', async () => {
  await using stage = await filesStage({
    accounts: [{ id: 'a', models: ['m', 'secret'] }],
    keys: [{ id: 'one', secret: 'secret-one', models: ['m'] }],
  })
  for (const [model, number, own, more] of [
    ['secret', 731, 'secret'],
    ['nowhere', 1_000, 'nowhere'],
    ['secret', 2, 'm', { fallbacks: ['secret'] }],
  ] as const) {
    const lines = Array.from({ length: 1_000 }, (_, at) =>
      at + 1 === number ? line(String(at + 1), own, more) : line(String(at + 1)),
    )
    const file = await jsonl(...lines)
    const refused = stage.openai.files.create({ file, purpose: 'batch' })
    await expect(refused).rejects.toMatchObject({
      status: 404,
      param: 'input_file_id',
      message: expect.stringContaining(`Line ${number}: The model \`${model}\``) as string,
    })
  }
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a model that the key may not use any more refuses the batch with its line', async () => {
  const store = breakable(openMemoryStore())
  const one = (models?: string[]) => [
    { id: 'one', secret: 'secret-one', ...(models && { models }) },
  ]
  const accounts = [{ id: 'a', models: ['m', 'n'] }]
  await using stage = await filesStage({ store, accounts, keys: one() })
  const lines = [line('1'), '', line('2', 'n')]
  const file = await stage.openai.files.create({ file: await jsonl(...lines), purpose: 'batch' })
  await using later = await filesStage({ store, accounts, keys: one(['m']) })
  const refused = later.openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  await expect(refused).rejects.toMatchObject({
    status: 404,
    param: 'input_file_id',
    message: expect.stringContaining('Line 3') as string,
  })
  expect(later.sandbox.requests).toHaveLength(0)
})

const body = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
const request = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body }
const answer = { ...request, url: '/v1/responses', body: { model: 'm', input: 'Hello' } }

test.each([
  ['is no JSON', '{"custom_id":'],
  ['is a list', '[]'],
  ['has no id', JSON.stringify({ ...request, custom_id: undefined })],
  ['has another method', JSON.stringify({ ...request, method: 'GET' })],
  ['has an unknown path', JSON.stringify({ ...request, url: '/v1/files' })],
  ['has a URL', JSON.stringify({ ...request, url: 'https://a.example/v1/chat/completions' })],
  ['has no body', JSON.stringify({ ...request, body: undefined })],
  ['has no model', JSON.stringify({ ...request, body: { ...body, model: undefined } })],
  ['has a wrong field', JSON.stringify({ ...request, body: { ...body, messages: 'Hello' } })],
  ['streams', JSON.stringify({ ...request, body: { ...body, stream: true } })],
  ['has two models', line('1').replace('"model":"m"', '"model":"m","model":"x"')],
  [
    'has another spelling of its model',
    line('1').replace('"model":"m"', '"Model":"x","model":"m"'),
  ],
  [
    'is nested deeply',
    line('1').replace('"model"', `"x":${'['.repeat(9_999)}${']'.repeat(9_999)},"model"`),
  ],
  ['has two bodies', `${line('1').slice(0, -1)},"body":{"model":"x","messages":[]}}`],
  [
    'continues a response',
    JSON.stringify({ ...answer, body: { ...answer.body, previous_response_id: 'resp_1' } }),
  ],
  [
    'continues a conversation',
    JSON.stringify({ ...answer, body: { ...answer.body, conversation: 'conv_1' } }),
  ],
  [
    'names an item',
    JSON.stringify({
      ...answer,
      body: { ...answer.body, input: [{ type: 'item_reference', id: 'msg_1' }] },
    }),
  ],
])('a file whose line %s is refused with its number', async (_, wrong) => {
  await using stage = await filesStage()
  const file = await jsonl(line('1'), wrong)
  const refused = stage.openai.files.create({ file, purpose: 'batch' })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    param: 'input_file_id',
    message: expect.stringMatching(/^400 Line 2: (?!The request body)/) as string,
  })
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('blank lines without end are refused soon, and hold up nobody', async () => {
  await using stage = await filesStage()
  const file = await toFile(Buffer.alloc(8 * 1024 * 1024, '\n'), 'lines.jsonl')
  const watch = monitorEventLoopDelay({ resolution: 5 })
  watch.enable()
  const refused = stage.openai.files.create({ file, purpose: 'batch' })
  await expect(refused).rejects.toMatchObject({
    status: 413,
    message: expect.stringContaining('more than 100000 lines') as string,
  })
  watch.disable()
  expect(watch.max / 1e6).toBeLessThan(1_000)
  expect(stage.sandbox.requests).toHaveLength(0)
})

test('a file without requests is refused', async () => {
  await using stage = await filesStage()
  const refused = stage.openai.files.create({ file: await jsonl(' ', ''), purpose: 'batch' })
  await expect(refused).rejects.toMatchObject({ status: 400, param: 'file' })
})

test('a file that lines name leads them to its account, by the account’s id', async () => {
  await using stage = await filesStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai, other } = stage
  for (let turn = 0; turn < 4; turn++) {
    const picture = await openai.files.create({ file: await jsonl('x'), purpose: 'vision' })
    const owner = stage.lastAccount()
    const input = [{ role: 'user', content: [{ type: 'input_image', file_id: picture.id }] }]
    const naming = JSON.stringify({ ...answer, body: { model: 'm', input } })
    const file = () => jsonl(JSON.stringify(answer), naming)
    await openai.files.create({ file: await file(), purpose: 'batch' })
    expect(stage.lastAccount()).toBe(owner)
    expect(String(stage.sandbox.requests.at(-1)?.body)).not.toContain(picture.id)
    const foreign = other.files.create({ file: await file(), purpose: 'batch' })
    await expect(foreign).rejects.toMatchObject({ status: 404, param: 'input_file_id' })
  }
})

test('a line that names a file of another key by the account’s id is refused with its number', async () => {
  await using stage = await filesStage()
  const { openai, other, sandbox } = stage
  await openai.files.create({ file: await jsonl('x'), purpose: 'vision' })
  const headers = { authorization: 'Bearer sandbox-key-a' }
  const { data } = (await (await fetch(`${sandbox.url}/v1/files`, { headers })).json()) as {
    data: { id: string }[]
  }
  const input = [{ role: 'user', content: [{ type: 'input_image', file_id: data[0]?.id }] }]
  const naming = JSON.stringify({ ...answer, body: { model: 'm', input } })
  const file = await jsonl(JSON.stringify(answer), naming)
  await expect(other.files.create({ file, purpose: 'batch' })).rejects.toMatchObject({
    status: 400,
    param: 'input_file_id',
    message: expect.stringContaining('Line 2: `input[0].content[0].file_id`: File') as string,
  })
})

test.each(['file-none', `file-${'0'.repeat(29)}`, '', 'x'])(
  'no batch has the file %j',
  async (input_file_id) => {
    await using stage = await filesStage()
    const batch = stage.openai.batches.create({
      input_file_id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    })
    await expect(batch).rejects.toMatchObject({ status: input_file_id ? 404 : 400 })
    expect(stage.sandbox.requests).toHaveLength(0)
  },
)

test('a file of another purpose has no requests', async () => {
  await using stage = await filesStage()
  const file = await stage.openai.files.create({
    file: await jsonl(line('1')),
    purpose: 'user_data',
  })
  const batch = stage.openai.batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  await expect(batch).rejects.toMatchObject({ status: 400, param: 'input_file_id' })
})

test('a batch of another key is unknown', async () => {
  await using stage = await filesStage()
  const { id } = await orderBatch(stage.openai, line('1'))
  const { output_file_id: output } = await finished(stage.openai, id)
  const asked = stage.sandbox.requests.length
  const { batches, files } = stage.other
  await expect(batches.retrieve(id)).rejects.toMatchObject({ status: 404 })
  await expect(batches.cancel(id)).rejects.toMatchObject({ status: 404 })
  await expect(files.content(output ?? '')).rejects.toMatchObject({ status: 404 })
  expect((await batches.list()).data).toEqual([])
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a store that does not answer makes nothing unknown', async () => {
  const store = breakable(openMemoryStore())
  await using stage = await filesStage({ store })
  const { openai } = stage
  const batch = await orderBatch(openai, line('1'))
  store.broken.reads = true
  const { batches, files } = openai
  for (const ask of [
    () => batches.retrieve(batch.id),
    () => batches.cancel(batch.id),
    () => batches.list(),
    () => files.retrieve(batch.input_file_id),
    () => files.content(batch.input_file_id),
    () => files.delete(batch.input_file_id),
    () => files.list(),
  ])
    await expect(ask()).rejects.toMatchObject({ status: 503 })
})

test('an account that is away leaves the last known state of a batch', async () => {
  await using stage = await filesStage()
  const { id, status } = await orderBatch(stage.openai, line('1'))
  await stage.sandbox[Symbol.asyncDispose]()
  const { data, response } = await stage.openai.batches.retrieve(id).withResponse()
  expect([data.status, response.headers.get('x-dragoman-stale')]).toEqual([status, 'true'])
})

const prices = (tiers?: Record<string, string>) => ({
  m: { rates: { input: 500, output: 1_000 }, ...(tiers && { tiers }) },
})

test.each([
  ['at half its price', prices({ batch: '0.5' }), 0.5],
  ['at an unknown price', prices(), undefined],
])('the use of a finished batch counts once, %s', async (_, priced, factor) => {
  const rows: LedgerRow[] = []
  await using stage = await filesStage({
    accounts: [{ id: 'a', prices: priced }],
    plugins: [{ name: 'rows', onLedger: (input) => void rows.push(...input.rows) }],
  })
  const { openai } = stage
  const { id } = await orderBatch(openai, line('1'), line('2'))
  const { usage } = await finished(openai, id)
  for (let turn = 0; turn < 3; turn++) await openai.batches.retrieve(id)
  const ends = () => rows.filter(({ operation }) => operation === 'batch.ended')
  await expect.poll(ends).toHaveLength(1)
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } = usage ?? {}
  expect(inputTokens).toBeGreaterThan(0)
  const micro = inputTokens * 500 + outputTokens * 1_000
  expect(ends()[0]).toMatchObject({
    isJob: true,
    usage: 'reported',
    tokens: { inputTokens, outputTokens, tier: 'batch' },
    costNano: factor === undefined ? null : micro * 1_000 * factor,
  })
  const order = rows.find(({ operation }) => operation === 'batches.create')
  expect(order).toMatchObject({ usage: 'none', costNano: 0 })
  for (const { operation, isFree, usage: used } of rows)
    if (operation.startsWith('files.'))
      expect([operation, isFree, used]).toEqual([operation, true, 'none'])
})

test('a batch that fails before its first request costs nothing, whatever the price is', async () => {
  const rows: LedgerRow[] = []
  await using stage = await filesStage({
    accounts: [{ id: 'a', models: ['m', 'n'] }],
    plugins: [{ name: 'rows', onLedger: (input) => void rows.push(...input.rows) }],
  })
  const { id } = await orderBatch(stage.openai, line('1'), line('2', 'n'))
  expect((await finished(stage.openai, id)).status).toBe('failed')
  await expect
    .poll(() => rows.find(({ operation }) => operation === 'batch.ended'))
    .toMatchObject({ status: 'failed', costNano: 0 })
})

test('a batch that a budget does not permit is refused before its account is asked', async () => {
  await using stage = await filesStage({
    accounts: [{ id: 'a', prices: prices({ batch: '0.5' }) }],
    keys: [
      { id: 'one', secret: 'secret-one', quotas: [{ kind: 'cost', amount: 1, window: 'day' }] },
    ],
  })
  const file = await stage.openai.files.create({
    file: await jsonl(...Array.from({ length: 50 }, (_, at) => line(String(at)))),
    purpose: 'batch',
  })
  const asked = stage.sandbox.requests.length
  const batch = clientOf(stage.gateway, 'secret-one').batches.create({
    input_file_id: file.id,
    endpoint: '/v1/chat/completions',
    completion_window: '24h',
  })
  await expect(batch).rejects.toMatchObject({ status: expect.toBeOneOf([402, 429]) as number })
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a plugin that checks each request is not passed by', async () => {
  await using stage = await filesStage({
    plugins: [{ name: 'mask', onRequest: ({ request }) => request }],
  })
  const file = await jsonl(line('1'))
  const refused = stage.openai.files.create({ file, purpose: 'batch' })
  await expect(refused).rejects.toMatchObject({ status: 403 })
  expect(stage.sandbox.requests).toHaveLength(0)
})
