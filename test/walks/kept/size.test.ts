import { describe, expect, test } from 'vitest'

import { ask, connect, notFound, refusal, type Response, ways } from '../chaining/asking.ts'
import { keptGrounds, lastTold, saidIn, newest, startKept } from './stage.ts'

const turns = 30

/** One transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = `data:image/png;base64,${pixel}`

const mebibyte = 1024 * 1024

const grounds = keptGrounds()
/** Each store, with accounts of one dialect. */
const stores = grounds.filter(
  ({ name }) => name === 'memory, openai 7, chat' || !name.startsWith('memory'),
)

test.for(stores)(
  `a client on $name has a chain of ${turns} turns`,
  async ({ sdk, open, speaks }) => {
    await using stage = await startKept(speaks, open)
    // So many turns meet a moment in which the store is slow.
    const client = connect(stage, sdk, { maxRetries: 3 })
    let last: Response | undefined
    for (let turn = 0; turn < turns; turn++) {
      const from = last ? { previous_response_id: last.id } : {}
      last = await ask(client, { input: `turn ${turn}.`, ...from }, { stream: turn % 2 === 0 })
    }

    const told = lastTold(stage)
    for (let turn = 0; turn < turns; turn++) expect(told).toContain(`turn ${turn}.`)
    const { data } = await client.responses.inputItems.list(last?.id ?? '', { limit: 100 })
    expect(saidIn(data)).toHaveLength(2 * turns - 1)
  },
)

describe.concurrent.for(grounds)('on $name, a client', ({ sdk, open, speaks }) => {
  test.for(ways)('has its images told again ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const input = [
      {
        role: 'user' as const,
        content: [
          { type: 'input_text' as const, text: 'What is this?' },
          { type: 'input_image' as const, image_url: image, detail: 'auto' as const },
        ],
      },
    ]
    const { id } = await ask(client, { input }, way)

    await ask(client, { input: 'And its colour?', previous_response_id: id }, way)

    expect(lastTold(stage)).toContain(pixel)
    expect((await client.responses.inputItems.list(id)).data).toMatchObject([
      { content: [{ text: 'What is this?' }, { type: 'input_image', image_url: image }] },
    ])
  })
})

describe.concurrent('a response that is too large to be kept', () => {
  test.for(ways)('is delivered, and told of ($way)', async (way) => {
    await using stage = await startKept('chat')
    const client = connect(stage)
    const input = 'x'.repeat(9 * mebibyte)

    const given = await ask(client, { input }, way)

    expect(given).toMatchObject({ status: 'completed', output_text: 'a' })
    const [line] = await stage.gateway.logged(1)
    expect(line).toMatchObject({ losses: ['store'] })
    expect((await refusal(newest, client.responses.retrieve(given.id))).status).toBe(404)
    const asked = ask(client, { previous_response_id: given.id }, way)
    expect(await refusal(newest, asked)).toEqual(notFound(given.id))
  })

  test('tells of it in a header where there is time for one', async () => {
    await using stage = await startKept('chat')
    const { response } = await connect(stage)
      .responses.create({ model: 'sandbox/whoami', input: 'x'.repeat(9 * mebibyte) })
      .withResponse()

    expect(response.headers.get('x-dragoman-losses')).toBe('store')
  })
})

test('a response whose escapes are too large to be kept is not kept', async () => {
  await using stage = await startKept('chat')
  const { response } = await connect(stage)
    .responses.create({ model: 'sandbox/whoami', input: '\u0001'.repeat(1_900_000) })
    .withResponse()

  expect(response.headers.get('x-dragoman-losses')).toBe('store')
})

describe.concurrent('a conversation that is too large to be kept', () => {
  const items = [
    { type: 'message' as const, role: 'user' as const, content: 'x'.repeat(5 * mebibyte) },
  ]
  const tooLarge = { status: 400, body: { param: 'items' } }

  test('is not made, and does not become so large', async () => {
    await using stage = await startKept('chat')
    const { conversations } = connect(stage)
    expect(await refusal(newest, conversations.create({ items }))).toMatchObject(tooLarge)
    const { id } = await conversations.create()

    expect(await refusal(newest, conversations.items.create(id, { items }))).toMatchObject(tooLarge)

    expect((await conversations.items.list(id)).data).toEqual([])
  })

  test('does not become so large by its metadata, or by many additions at once', async () => {
    await using stage = await startKept('chat')
    const { conversations } = connect(stage)
    const metadata = { topic: 'x'.repeat(5 * mebibyte) }
    const refused = { status: 400, body: { param: 'metadata' } }
    expect(await refusal(newest, conversations.create({ metadata }))).toMatchObject(refused)
    const { id } = await conversations.create()
    expect(await refusal(newest, conversations.update(id, { metadata }))).toMatchObject(refused)

    const item = { type: 'message' as const, role: 'user' as const, content: 'x'.repeat(mebibyte) }
    const added = await Promise.allSettled(
      Array.from({ length: 6 }, () => conversations.items.create(id, { items: [item] })),
    )

    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await conversations.items.list(id)).data).toHaveLength(3)
  })

  test('has answers that are no part of it', async () => {
    await using stage = await startKept('chat')
    const client = connect(stage)
    const { id } = await client.conversations.create()
    const input = 'x'.repeat(5 * mebibyte)

    const { response } = await client.responses
      .create({ model: 'sandbox/whoami', input, conversation: id })
      .withResponse()

    expect(response.headers.get('x-dragoman-losses')).toBe('conversation')
    expect((await client.conversations.items.list(id)).data).toEqual([])
  })
})

describe.concurrent('an input that is nested deeper than the limit', () => {
  test.for(ways)('is refused, and costs no other response its keeping ($way)', async (way) => {
    await using stage = await startKept('chat')
    const client = connect(stage)
    const before = await ask(client)
    const depth = 20_000
    const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const body = `{"model":"sandbox/whoami","stream":${way.stream},"input":[{"role":"user","content":"hi","more":${nested}}]}`

    const response = await fetch(`${stage.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.apiKey}`, 'content-type': 'application/json' },
      body,
    })

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('nested')
    const ready = await fetch(`${stage.gateway.url}/readyz?verbose`)
    expect(await ready.json()).toMatchObject({ bindings: { waiting: 0, lost: 0 } })
    expect(await ask(client, { previous_response_id: before.id }, way)).toMatchObject({
      status: 'completed',
    })
  })
})
