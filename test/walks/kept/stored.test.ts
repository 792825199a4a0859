import { describe, expect, test } from 'vitest'

import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { clients } from '../chaining/stage.ts'
import { deleteResponse, noResponse } from '../chaining/stored.ts'
import { keptGrounds, saidIn, startKept } from './stage.ts'

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const day = 24 * 60 * 60_000

describe.concurrent.for(keptGrounds())('on $name, a client with a response', (ground) => {
  const { sdk, open, speaks } = ground

  describe.for(ways)('that it got $way', (way) => {
    test('can ask for it again, for 30 days', async () => {
      await using stage = await startKept(speaks, open)
      const { responses } = connect(stage, sdk)
      const given = await ask(connect(stage, sdk), { metadata: { topic: 'fruit' } }, way)

      expect(await responses.retrieve(given.id)).toMatchObject({ ...given })
      stage.now += 30 * day - 1
      expect(await responses.retrieve(given.id)).toMatchObject({ metadata: { topic: 'fruit' } })
      stage.now += 1
      expect(await refusal(sdk, responses.retrieve(given.id))).toEqual(noResponse(given.id))
      expect(stage.sandbox.requests).toHaveLength(1)
    })

    test('can delete it, and it is gone for all purposes', async () => {
      await using stage = await startKept(speaks, open)
      const client = connect(stage, sdk)
      const { id } = await ask(client, {}, way)
      const next = await ask(client, { previous_response_id: id }, way)

      await deleteResponse(client, id)

      const gone = noResponse(id)
      expect(await refusal(sdk, client.responses.retrieve(id))).toEqual(gone)
      expect(await refusal(sdk, client.responses.inputItems.list(id).then())).toEqual(gone)
      expect(await refusal(sdk, deleteResponse(client, id))).toEqual(gone)
      expect((await refusal(sdk, ask(client, { previous_response_id: id }, way))).status).toBe(400)
      expect(await ask(client, { previous_response_id: next.id }, way)).toMatchObject({
        status: 'completed',
      })
    })
  })

  test('cannot cancel what was not made in the background', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)

    expect(await refusal(sdk, cancel(stage.gateway.url, client, id))).toMatchObject({
      status: 400,
      body: { code: 400, message: expect.stringContaining('background') },
    })
    expect((await client.responses.retrieve(id)).status).toBe('completed')
  })

  test('sees every item of its input, in the order and the pages that it wants', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const first = await ask(client, { input: 'one', instructions: 'Be brief.' })
    const { id } = await ask(client, { input: 'two', previous_response_id: first.id })
    const { inputItems } = client.responses
    const inOrder = ['user: one', 'assistant: a', 'user: two']

    const { data } = await inputItems.list(id)
    expect(saidIn(data)).toEqual(inOrder.toReversed())
    expect(saidIn((await inputItems.list(id, { order: 'asc' })).data)).toEqual(inOrder)
    const page = await inputItems.list(id, { order: 'asc', limit: 2 })
    expect(saidIn(page.data)).toEqual(inOrder.slice(0, 2))
    expect(page.hasNextPage()).toBe(true)
    const rest = await page.getNextPage()
    expect(saidIn(rest.data)).toEqual(inOrder.slice(2))
    expect(rest.hasNextPage()).toBe(false)
    const ids = data.map((item) => item.id)
    expect(new Set(ids).size).toBe(3)
  })

  test('reads items of its input with all members that typed clients require', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, {
      input: [
        { role: 'user', content: [{ type: 'input_image', image_url: pixel }] as never },
        { role: 'assistant', content: 'a dot' },
        { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'ok' },
        { role: 'user', content: 'more' },
      ],
    })
    const { data } = await client.responses.inputItems.list(id, { order: 'asc' })
    const status = 'completed'
    expect(data).toMatchObject([
      { status, content: [{ type: 'input_image', detail: 'auto' }] },
      { status, content: [{ type: 'output_text', text: 'a dot', annotations: [], logprobs: [] }] },
      { status, type: 'function_call' },
      { status, type: 'function_call_output' },
      { status, content: [{ type: 'input_text', text: 'more' }] },
    ])
  })

  test('is told which pages there are none of', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)

    for (const query of [{ limit: 0 }, { limit: 101 }, { order: 'up' as 'asc' }]) {
      const listing = client.responses.inputItems.list(id, query).then()
      const { status, body } = await refusal(sdk, listing)
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { param: Object.keys(query)[0] },
      })
    }
  })

  test('has it alone: with another key it looks as if there were none', async () => {
    await using stage = await startKept(speaks, open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    const another = connect(stage, sdk, { apiKey: clients.another })

    for (const name of [id, 'resp_of_nobody']) {
      for (const asked of [
        () => another.responses.retrieve(name),
        () => another.responses.inputItems.list(name).then(),
        () => cancel(stage.gateway.url, another, name),
        () => deleteResponse(another, name),
      ]) {
        expect(await refusal(sdk, asked())).toEqual(noResponse(name))
      }
    }
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
    expect(stage.sandbox.requests).toHaveLength(1)
  })
})

/** `responses.cancel`, which the oldest SDK does not have. */
function cancel(url: string, client: ReturnType<typeof connect>, id: string): Promise<unknown> {
  return client.post(`${url}/v1/responses/${id}/cancel`)
}
