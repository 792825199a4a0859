import { describe, expect, test } from 'vitest'

import { dailySteps } from '../../daily-rows.ts'
import { accountOf, ask, connect, refusal, ways } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { type Changes, model, otherModel, startStage } from './stage.ts'

// The oldest SDK knows no conversations.
const grounds = allGrounds().filter(({ name }) => !name.includes('openai 4'))

/** Two accounts with one model each, equally likely to begin a conversation. */
const apart: Changes = {
  a: { models: { 'sandbox/*': 'sandbox/*' }, priority: 0 },
  b: { models: { 'other/*': 'sandbox/*' }, priority: 0 },
}

const hello = { type: 'message', role: 'user', content: 'hello' } as const

describe.for(grounds)('on $name, a conversation', ({ sdk, open }) => {
  test.for(ways)('goes to the account of the model that it is used with ($way)', async (way) => {
    await using stage = await startStage(open, { ...apart, a: { ...apart.a, priority: -1 } })
    const client = connect(stage, sdk)
    const { id } = await client.conversations.create({ items: [hello], metadata: { topic: 'x' } })
    expect(stage.asked('a')).toHaveLength(1)

    const first = await ask(client, { model: otherModel, conversation: id }, way)
    const second = await ask(client, { model: otherModel, conversation: id }, way)

    expect([first, second].map(accountOf)).toEqual(['b', 'b'])
    expect([first.conversation, second.conversation]).toEqual([{ id }, { id }])
    expect(await client.conversations.retrieve(id)).toMatchObject({ id, metadata: { topic: 'x' } })
    const { data } = await client.conversations.items.list(id, { order: 'asc' })
    expect(data.map((item) => ('role' in item ? item.role : item.type))).toEqual([
      'user',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    const again = await ask(client, { model: otherModel, conversation: { id } }, way)
    expect(again.conversation).toEqual({ id })
    expect(await client.conversations.delete(id)).toMatchObject({ id, deleted: true })
    expect(stage.asked('a')).toHaveLength(1)
  })

  test('stays where it is once it has been used', async () => {
    await using stage = await startStage(open, { ...apart, a: { ...apart.a, priority: -1 } })
    const client = connect(stage, sdk)
    const used = await client.conversations.create()
    await ask(client, { conversation: used.id })
    const filled = await client.conversations.create()
    await client.conversations.items.create(filled.id, { items: [hello] })
    const moved = await client.conversations.create()
    await ask(client, { model: otherModel, conversation: moved.id })

    for (const [conversation, other] of [
      [used.id, otherModel],
      [filled.id, otherModel],
      [moved.id, model],
    ] as const) {
      const asked = refusal(sdk, ask(client, { model: other, conversation }))
      expect(await asked).toMatchObject({
        status: 400,
        body: { code: 'conversation_model_mismatch' },
      })
    }
  })

  test('that names an item of its account stays there', async () => {
    await using stage = await startStage(open, { ...apart, a: { ...apart.a, priority: -1 } })
    const client = connect(stage, sdk)
    const { output } = await ask(client)
    const items = [{ type: 'item_reference' as const, id: output[0]?.id ?? '' }]
    const { id: conversation } = await client.conversations.create({ items })
    const asked = refusal(sdk, ask(client, { model: otherModel, conversation }))
    expect(await asked).toMatchObject({ status: 400 })
  })
})

const conversations = dailySteps(200)

test(`no call fails for want of an account with the model: 0 of ${conversations}`, async () => {
  await using stage = await startStage(undefined, apart)
  const client = connect(stage)
  const outcomes = await inTurns(conversations, async (index) => {
    const { id } = await client.conversations.create(index % 3 === 0 ? { items: [hello] } : {})
    if (index % 5 === 0) await client.conversations.items.list(id)
    const wanted = index % 2 === 0 ? model : otherModel
    const [way] = index % 4 < 2 ? ways : ways.toReversed()
    const first = await ask(client, { model: wanted, conversation: id }, way)
    const second = await ask(client, { model: wanted, conversation: id }, way)
    return [first, second].every((one) => (one.conversation as { id: string } | null)?.id === id)
  })
  expect(outcomes.filter((isSame) => !isSame)).toEqual([])
  expect(stage.asked('a').length).toBeGreaterThan(0)
  expect(stage.asked('b').length).toBeGreaterThan(0)
})

test('two calls at once use the same conversation', async () => {
  await using stage = await startStage(undefined, { ...apart, a: { ...apart.a, priority: -1 } })
  const client = connect(stage, undefined, { maxRetries: 5 })
  const { id: conversation } = await client.conversations.create()
  const asked = () => ask(client, { model: otherModel, conversation })
  const responses = await Promise.all([asked(), asked(), asked()])
  expect(responses.map((one) => one.conversation)).toEqual(
    responses.map(() => ({ id: conversation })),
  )
  expect((await client.conversations.items.list(conversation)).data).toHaveLength(6)
})

test('an account that does not create it is passed over, and nobody’s fault', async () => {
  await using stage = await startStage(undefined, { ...apart, a: { ...apart.a, priority: -1 } })
  const client = connect(stage)
  const { id: conversation } = await client.conversations.create()
  const broken = 'http://127.0.0.1:9'
  stage.configure({ ...apart, b: { ...apart.b, baseUrl: broken } })
  const refused = ask(client, { model: otherModel, conversation }).catch((error: Error) => error)
  expect(await refused).toMatchObject({ status: 503 })
  stage.configure(apart)
  expect(accountOf(await ask(client, { model: otherModel, conversation }))).toBe('b')
})

async function inTurns<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let index = 0; index < count; index += 10) {
    const turn = Array.from({ length: 10 }, (_, offset) => run(index + offset))
    results.push(...(await Promise.all(turn)))
  }
  return results
}
