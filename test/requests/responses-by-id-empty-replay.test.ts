import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type Answer, answerStream } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { type Owner, startOwner } from '../walks/chaining/owner.ts'
import { cut, openStream } from '../walks/streams/scripted.ts'

async function replay(owner: Owner, script: Answer, query: string) {
  owner.script = script
  const response = await owner.ask('GET', `/v1/responses/x1?stream=true${query}`)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  }
}

describe('a client that has had every event of a response', () => {
  test('is told by the SDK that there are no more', async () => {
    await using sandbox = await startSandbox()
    const account = { id: 'a', provider: 'sandbox', baseUrl: sandbox.url, models: ['*'] }
    await using gateway = await createTestGateway({
      accounts: [{ ...account, apiKey: 'sandbox-key-a' }],
    })
    const client = new OpenAI({
      baseURL: `${gateway.url}/v1`,
      apiKey: gateway.key,
      maxRetries: 0,
    })
    const request = { model: 'sandbox/words=2', input: 'hi', background: true } as const
    let id = ''
    let last = 0
    for await (const event of await client.responses.create({ ...request, stream: true })) {
      if (event.type === 'response.completed') id = event.response.id
      last = event.sequence_number
    }

    for (const starting_after of [last, last + 1]) {
      const rest = await client.responses.retrieve(id, { stream: true, starting_after })
      for await (const event of rest) expect.unreachable(`there was ${event.type}`)
    }

    expect((await gateway.logged(3)).slice(1)).toMatchObject([
      { route: 'responses.retrieve', status: 200, stream: true, stream_end: 'complete' },
      { route: 'responses.retrieve', status: 200, stream: true, stream_end: 'complete' },
    ])
    expect(gateway.log).toEqual([])
  })

  test.each([
    ['nothing at all', ''],
    ['a comment', ': nothing new\n\n'],
    ['that it is done', 'data: [DONE]\n\n'],
  ])('gets what the account says: %s', async (_, text) => {
    await using owner = await startOwner()
    const frames = text === '' ? [] : [text]
    expect(await replay(owner, answerStream(frames), '&starting_after=9')).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
      text,
    })
  })
})

describe('a replay without an event is an error', () => {
  test.each([
    ['from the start', ''],
    ['after the first event alone, which is no response’s last', '&starting_after=0'],
    ['after what is no number', '&starting_after=x'],
    ['after two numbers, of which the account chose one', '&starting_after=9&starting_after=1'],
  ])('%s', async (_, query) => {
    await using owner = await startOwner()
    const { status, text } = await replay(owner, answerStream(['data: [DONE]\n\n']), query)
    expect(status).toBe(502)
    expect(text).toContain("The upstream's stream ended before it was complete.")
  })

  const broken: [how: string, script: Answer][] = [
    [
      'its connection is cut',
      (response) => {
        openStream(response, [': hello\n\n'])
        cut(response)
      },
    ],
    ['it ends in the middle of a frame', answerStream(['data: {"type":'])],
  ]

  test.each(broken)('where %s, whatever was asked for', async (_, script) => {
    await using owner = await startOwner()
    expect(await replay(owner, script, '&starting_after=9')).toMatchObject({ status: 502 })
  })
})
