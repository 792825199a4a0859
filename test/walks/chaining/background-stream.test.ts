import { describe, expect, test } from 'vitest'

import {
  type AccountRequest,
  type Answer,
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { connect } from '../replicas/replicas.ts'
import { createGate, cut, openStream } from '../streams/scripted.ts'

const response = (status: string) => ({ id: 'resp_1', object: 'response', status, output: [] })

const event = (type: string, sequence_number: number, status: string) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, response: response(status) })}\n\n`

const taken = [event('response.created', 0, 'queued'), event('response.queued', 1, 'queued')]

const isCreate = ({ method, url }: AccountRequest) => method === 'POST' && url === '/v1/responses'

interface Scene extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly first: FakeAccount
  readonly spare: FakeAccount
}

/** An account that takes on work in the background, and one that would too. */
async function startScene(script: Answer): Promise<Scene> {
  await using starting = new AsyncDisposableStack()
  const first = starting.use(await startFakeAccount(script))
  const spare = starting.use(await startFakeAccount(answerJson({})))
  const accounts = [first, spare].map(({ url }, priority) => ({
    id: `account-${priority}`,
    provider: 'openai',
    baseUrl: `${url}/v1`,
    models: ['*'],
    priority,
  }))
  const gateway = starting.use(await createTestGateway({ accounts }))
  const started = starting.move()
  return { gateway, first, spare, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

const request = { model: 'm', input: 'hi', background: true, stream: true } as const

describe('a client that streams work in the background', () => {
  test('learns of its id before any output, and cancels it by that', async () => {
    const cancelled = createGate()
    await using scene = await startScene(async (answer, asked) => {
      if (!isCreate(asked)) {
        cancelled.open()
        return answerJson(response('cancelled'))(answer, asked)
      }
      openStream(answer, taken)
      await cancelled.opened
      answer.end(event('response.failed', 2, 'cancelled'))
    })
    const { responses } = connect(scene.gateway)

    const types: string[] = []
    for await (const { type, ...rest } of await responses.create(request)) {
      types.push(type)
      if (type === 'response.created') {
        const { response: created } = rest as { response: { id: string } }
        expect(await responses.cancel(created.id)).toMatchObject({ status: 'cancelled' })
      }
    }

    expect(types).toEqual(['response.created', 'response.queued', 'response.failed'])
    expect(scene.first.requests.map(({ url }) => url)).toEqual([
      '/v1/responses',
      '/v1/responses/resp_1/cancel',
    ])
  })

  test('is told when the stream breaks, and finds the work where it goes on', async () => {
    await using scene = await startScene((answer, asked) => {
      if (!isCreate(asked)) return answerJson(response('in_progress'))(answer, asked)
      openStream(answer, taken)
      cut(answer)
    })
    const { responses } = connect(scene.gateway)

    const stream = await responses.create(request)
    const reading = (async () => {
      for await (const { type } of stream) expect(type).toMatch(/created|queued/)
    })()

    await expect(reading).rejects.toThrow('The connection to the upstream failed.')
    expect(await responses.retrieve('resp_1')).toMatchObject({ status: 'in_progress' })
    expect(scene.spare.requests).toEqual([])
  })
})

test('a stream in the foreground may still begin anew with another account', async () => {
  await using scene = await startScene((answer) => {
    openStream(answer, taken)
    cut(answer)
  })
  const asked = connect(scene.gateway).responses.create({ ...request, background: false })

  await expect(asked).rejects.toMatchObject({ status: 502 })
  expect(scene.spare.requests).toHaveLength(1)
})
