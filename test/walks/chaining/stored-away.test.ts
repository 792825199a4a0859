import { describe, expect, test } from 'vitest'

import { ask, connect, refusal } from './asking.ts'
import { allGrounds } from './grounds.ts'
import { type Changes, startStage } from './stage.ts'
import { deleteResponse, own } from './stored.ts'

const reasons: { reason: string; changes: Changes; why: string }[] = [
  { reason: 'removed', changes: { a: undefined }, why: 'it is no longer configured' },
  { reason: 'disabled', changes: { a: { enabled: false } }, why: 'it is disabled' },
  {
    reason: 'taught another protocol',
    changes: { a: { speaks: ['chat'] } },
    why: 'it no longer speaks this dialect',
  },
]

describe.for(allGrounds())('on $name, a client with a stored response', ({ sdk, open }) => {
  test.for(reasons)('is told, once, that its account was $reason', async ({ changes, why }) => {
    await using stage = await startStage(open)
    const { id } = await ask(connect(stage, sdk))
    stage.configure(changes)
    const { responses } = connect(stage, sdk, { maxRetries: 2 })

    expect(await refusal(sdk, responses.retrieve(id))).toEqual(
      own(503, `The account that has this response cannot be used: ${why}.`, {
        code: 'owner_unavailable',
        shouldRetry: 'false',
      }),
    )
    expect(await stage.gateway.logged(2)).toHaveLength(2)
    expect(stage.asked('b')).toEqual([])
  })

  test('is told that the store cannot tell, and never that it is not there', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client)
    stage.broken.reads = true
    const cannotTell = own(503, 'The response cannot be looked up at the moment.', {
      code: 'lookup_unavailable',
      shouldRetry: 'true',
    })

    for (const name of [id, 'resp_of_nobody']) {
      expect(await refusal(sdk, client.responses.retrieve(name))).toEqual(cannotTell)
      expect(await refusal(sdk, deleteResponse(client, name))).toEqual(cannotTell)
    }

    expect(stage.sandbox.requests).toHaveLength(1)
    stage.broken.reads = false
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
  })

  test('is told what its account says, where the account has lost it', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, { store: false })

    const { status, body } = await refusal(sdk, client.responses.retrieve(id))

    expect({ status, body }).toMatchObject({
      status: 404,
      body: { code: 404, message: `Response with id '${id}' not found.` },
    })
    expect(stage.asked('a')).toHaveLength(2)
  })

  test('is told in the envelope of chaining, where the account does not know it', async () => {
    await using stage = await startStage(open)
    const client = connect(stage, sdk)
    const { id } = await ask(client, { store: false })

    const { status, body } = await refusal(sdk, ask(client, { previous_response_id: id }))

    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: 'invalid_request_error',
        code: 'previous_response_not_found',
        param: 'previous_response_id',
        message: `Previous response with id '${id}' not found.`,
      },
    })
    expect(stage.asked('a')).toHaveLength(2)
  })
})
