import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { clients } from '../chaining/stage.ts'
import { deleteResponse } from '../chaining/stored.ts'
import { keptGrounds, lastTold, newest, startKept, wordsTold } from './stage.ts'

const grounds = keptGrounds().filter(({ name }) => !name.includes('openai 4'))
const day = 24 * 60 * 60_000

describe.concurrent.for(grounds)('on $name, a client that names items', (ground) => {
  const { sdk, open, speaks } = ground

  test.for(ways)('has them told, instead of the whole history ($way)', async (way) => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const first = await ask(client, { model: parrot('red plums') }, way)
    const second = await ask(client, { model: parrot('green pears') }, way)
    stage.configure({ a: { enabled: false } })

    const input = [user('one'), named(first), user('two'), named(second), user('three')]
    const next = await ask(client, { input }, way)

    expect(next.output_text).toBe('b')
    const words = ['one', 'red plums', 'two', 'green pears', 'three']
    expect(wordsTold(stage, ...words)).toEqual(words)
    const kept = await client.responses.inputItems.list(next.id, { order: 'asc' })
    expect(kept.data[1]).toMatchObject({ id: first.output[0]?.id, role: 'assistant' })
  })

  test('has what was said before it told once', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const first = await ask(client, { model: parrot('red plums') })
    const model = parrot('red plums')

    const chained = [named(first), user('and now?')]
    await ask(client, { model, input: chained, previous_response_id: first.id })

    expect(lastTold(stage).split('red plums')).toHaveLength(2)
    const { id } = await client.conversations.create({ items: [user('I like figs')] })
    const { data } = await client.conversations.items.list(id)
    const inIt = [{ type: 'item_reference' as const, id: data[0]?.id ?? '' }, named(first)]
    await ask(client, { input: [...inIt, user('and now?')], conversation: id })
    expect(wordsTold(stage, 'I like figs', 'red plums', 'and now?')).toHaveLength(3)
    expect(lastTold(stage).split('I like figs')).toHaveLength(2)
  })

  test('has an item told once, however often it names it', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const first = await ask(client, { model: parrot('red plums') })

    await ask(client, { input: [named(first), user('one'), ...Array(20).fill(named(first))] })

    expect(lastTold(stage).split('red plums')).toHaveLength(2)
  })

  test('is told which one there is not: unknown, deleted, too old or of another key', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const [first, deleted] = [await ask(client), await ask(client)]
    await deleteResponse(client, deleted.id)
    const another = connect(stage, sdk, { apiKey: clients.another })
    const before = stage.sandbox.requests.length
    const nobodys = { type: 'item_reference' as const, id: 'msg_of_nobody' }

    for (const [asking, item] of [
      [client, nobodys],
      [client, named(deleted)],
      [another, named(first)],
    ] as const) {
      expect(await refused(asking, [user('hi'), item])).toMatchObject(missing(item.id))
    }
    expect(await refused(client, [named(first), nobodys])).toMatchObject(missing(nobodys.id))
    const chained = { previous_response_id: first.id }
    const both = [user('hi'), nobodys]
    expect(await refused(client, both, chained)).toMatchObject(missing(nobodys.id))
    stage.now += 31 * day
    expect(await refused(client, [user('hi'), named(first)])).toMatchObject(missing(idOf(first)))
    expect(stage.sandbox.requests).toHaveLength(before)
  })

  test('is told that nobody can tell while the store is away', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const first = await ask(client)
    stage.broken.reads = true

    expect(await refused(client, [named(first), user('hi')])).toMatchObject({
      status: 503,
      shouldRetry: 'true',
      body: { details: [{ code: 'lookup_unavailable' }] },
    })
  })
})

test('a client names the call that its tool has answered', async () => {
  await using stage = await startKept('chat')
  const client = connect(stage)
  const asking = { model: 'sandbox/tool', tools, input: [user('Is it warm?')] }
  const { output } = await ask(client, asking)
  const call = output.find((item) => item.type === 'function_call')
  const result = {
    type: 'function_call_output',
    call_id: call?.call_id ?? '',
    output: '3',
  } as const

  const said = { type: 'item_reference', id: call?.id ?? '' } as const
  const next = await ask(client, { ...asking, input: [user('Is it warm?'), said, result] })

  expect(next.output_text).toContain('The tool answered: 3')
})

describe('before an account that speaks Responses and one that does not, a client', () => {
  const mixed = { b: { speaks: ['responses'], priority: 2 } }
  const onlyB = { a: { enabled: false }, b: mixed.b }

  test('names what the gateway keeps, and the other is told it in full', async () => {
    await using stage = await startKept('chat', undefined, onlyA)
    const client = connect(stage)
    const first = await ask(client, { model: parrot('red plums') })
    stage.configure(onlyB)

    const next = await ask(client, { input: [user('one'), named(first), user('two')] })

    expect(next.output_text).toBe('b')
    expect(wordsTold(stage, 'one', 'red plums', 'two')).toHaveLength(3)
    expect(lastTold(stage)).not.toContain('item_reference')
  })

  test('names what only its account knows, and is served there', async () => {
    await using stage = await startKept('chat', undefined, onlyB)
    const client = connect(stage)
    const first = await ask(client)
    stage.configure(mixed)

    const next = await ask(client, { input: [user('one'), named(first), user('two')] })

    expect(next.output_text).toBe('b')
    expect(lastTold(stage)).toContain('item_reference')
    expect(stage.asked('a')).toEqual([])
  })
})

const onlyA = { b: { enabled: false } }

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
]

/** A model that says this. */
function parrot(words: string): string {
  return `sandbox/text=${encodeURIComponent(words)}`
}

function user(content: string) {
  return { type: 'message', role: 'user', content } as const
}

type Made = { readonly output: OpenAI.Responses.Response['output'] }

function idOf({ output }: Made): string {
  return output[0]?.id ?? ''
}

function named(response: Made) {
  return { type: 'item_reference', id: idOf(response) } as const
}

function refused(client: OpenAI, input: OpenAI.Responses.ResponseInput, fields: object = {}) {
  return refusal(newest, ask(client, { input, ...fields }))
}

function missing(id: string) {
  return {
    status: 400,
    body: {
      code: 400,
      param: expect.stringMatching(/^input\[[01]\]$/) as string,
      message: expect.stringContaining(`Item with id '${id}' not found.`) as string,
    },
  }
}
