import { describe, expect, test } from 'vitest'

import { accountOf, ask, connect, notContinued, notFound, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { preferB, startStage } from './stage.ts'

const inBackground = { background: true }

describe.for(allGrounds())('on $name, a client with a response in the background', (ground) => {
  const { sdk, open } = ground

  test('cannot continue it yet, but as soon as it has seen it completed', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const queued = await ask(client, inBackground)
    expect(queued.status).toBe('queued')
    stage.configure(preferB)
    const continued = () => ask(client, { previous_response_id: queued.id })

    expect(await refusal(sdk, continued())).toEqual(notContinued(queued.id))
    expect(await client.responses.retrieve(queued.id)).toMatchObject({ status: 'completed' })

    expect(accountOf(await continued())).toBe('a')
  })

  test('may see it completed in a stream as well', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, inBackground)
    stage.configure(preferB)

    for await (const event of await client.responses.retrieve(id, { stream: true })) {
      if (event.type !== 'response.completed') continue
      expect(accountOf(await ask(client, { previous_response_id: id }))).toBe('a')
    }

    expect(await stage.gateway.logged(3)).toHaveLength(3)
  })

  test('may continue it for an hour from then on, and looking again changes nothing', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, inBackground)
    stage.now += 24 * 60 * 60_000
    await client.responses.retrieve(id)

    stage.now += 30 * 60_000
    await client.responses.retrieve(id)
    stage.now += 30 * 60_000

    expect(await refusal(sdk, ask(client, { previous_response_id: id }))).toEqual(notFound(id))
  })

  test('cancels it where it was made', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, inBackground)
    stage.configure(preferB)

    await client.responses.cancel(id)

    expect(await client.responses.retrieve(id)).toMatchObject({ status: 'cancelled' })
    expect(stage.asked('b')).toEqual([])
  })

  test('can ask for it by its id while its stream runs', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const headers = { 'x-sandbox': 'words=4; stall=5' }
    const leaving = new AbortController()
    const stream = await client.responses.create(
      { model: 'sandbox/echo', input: 'hi', stream: true, ...inBackground },
      { headers, signal: leaving.signal },
    )
    stage.configure(preferB)

    for await (const event of stream) {
      if (event.type !== 'response.created') continue
      expect(await client.responses.retrieve(event.response.id)).toMatchObject({
        id: event.response.id,
      })
      break
    }

    leaving.abort()
    expect(stage.asked('b')).toEqual([])
  })
})
