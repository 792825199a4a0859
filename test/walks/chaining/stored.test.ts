import { describe, expect, test } from 'vitest'

import { accountOf, ask, connect, notFound, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { clients, preferB, startStage } from './stage.ts'
import { deleteResponse, noResponse } from './stored.ts'

describe.for(allGrounds())('on $name, a client that has a stored response', ({ sdk, open }) => {
  test('looks it up where it was made', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id, output, created_at } = await ask(client)
    stage.configure(preferB)

    const found = await client.responses.retrieve(id)

    expect(found).toMatchObject({ id, output, created_at, status: 'completed' })
    expect(stage.asked('b')).toEqual([])
  })

  test('has its events told again, from any of them on', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, { background: true })
    stage.configure(preferB)

    const types: string[] = []
    const replay = await client.responses.retrieve(id, { stream: true, starting_after: 4 })
    for await (const event of replay) types.push(event.type)

    expect(types).toEqual([
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  test('lists its input items, page by page', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const input = ['one', 'two', 'three'].map((content) => ({ role: 'user' as const, content }))
    const { id } = await ask(client, { input })
    stage.configure(preferB)

    const contents: unknown[] = []
    for await (const item of client.responses.inputItems.list(id, { limit: 2, order: 'asc' })) {
      contents.push(...('content' in item ? (item.content as { text: string }[]) : []))
    }

    expect(contents).toMatchObject(['one', 'two', 'three'].map((text) => ({ text })))
    expect(stage.asked('a')).toHaveLength(3)
  })

  test('deletes it, and it is gone for all purposes', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    stage.configure(preferB)

    await deleteResponse(client, id)
    const before = stage.sandbox.requests.length

    expect(await refusal(sdk, client.responses.retrieve(id))).toEqual(noResponse(id))
    expect(await refusal(sdk, deleteResponse(client, id))).toEqual(noResponse(id))
    expect(await refusal(sdk, ask(client, { previous_response_id: id }))).toEqual(notFound(id))
    expect(stage.sandbox.requests).toHaveLength(before)
  })

  test('keeps it from every other key, as if there were no such response', async () => {
    await using stage = await startStage(open)
    const mine = connect(stage, sdk)
    const another = connect(stage, sdk, { apiKey: clients.another })
    const { id } = await ask(mine)
    const before = stage.sandbox.requests.length

    for (const name of [id, 'resp_of_nobody']) {
      for (const call of [
        () => another.responses.retrieve(name),
        () => another.responses.retrieve(name, { stream: true }),
        () => another.responses.inputItems.list(name),
        () => another.responses.cancel(name),
        () => deleteResponse(another, name),
      ]) {
        expect(await refusal(sdk, call())).toEqual(noResponse(name))
      }
    }
    expect(stage.sandbox.requests).toHaveLength(before)
    expect(accountOf(await mine.responses.retrieve(id))).toBe('a')
  })

  test('can look it up for 30 days', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)

    stage.now += 30 * 24 * 60 * 60_000 - 1
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
    stage.now += 1

    expect(await refusal(sdk, client.responses.retrieve(id))).toEqual(noResponse(id))
  })
})
