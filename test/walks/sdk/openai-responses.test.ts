import { describe, expect, test } from 'vitest'

import { openaiVersions } from './openai.ts'
import { startWalk } from './walk.ts'

const question = { model: 'sandbox/echo', input: 'hi there' }
const hardQuestion = {
  ...question,
  reasoning: { effort: 'low' as const, summary: 'auto' as const },
}

describe.for(openaiVersions)('$name, responses', ({ connect }) => {
  test('a client that asks gets the answer, its usage and the id of the request', async () => {
    await using walk = await startWalk()
    const response = await connect(walk).responses.create(question)
    expect(response.output_text).toBe('You said: hi there')
    expect(response).toMatchObject({ status: 'completed', model: 'sandbox/echo' })
    expect(response.usage).toMatchObject({ input_tokens: 2, output_tokens: 4 })

    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ route: 'responses.create', account: 'a', status: 200 })
    expect(response._request_id).toBe(line?.request_id)
  })

  test('a client that iterates over a stream sees the text grow until it is complete', async () => {
    await using walk = await startWalk()
    const stream = await connect(walk).responses.create({ ...question, stream: true })
    const deltas: string[] = []
    const types: string[] = []
    for await (const event of stream) {
      types.push(event.type)
      if (event.type === 'response.output_text.delta') deltas.push(event.delta)
    }
    expect(deltas).toEqual(['You', ' said:', ' hi', ' there'])
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed'])
  })

  test('a client that uses the stream helper has the whole response at its end', async () => {
    await using walk = await startWalk()
    const stream = connect(walk).responses.stream(question)
    const deltas: string[] = []
    stream.on('response.output_text.delta', ({ delta }) => void deltas.push(delta))
    const response = await stream.finalResponse()
    expect(deltas.join('')).toBe('You said: hi there')
    expect(response.status).toBe('completed')
    expect(response.output).toMatchObject([
      { type: 'message', content: [{ type: 'output_text', text: 'You said: hi there' }] },
    ])
  })

  test('a client that lets the model think reads a summary of the thoughts', async () => {
    await using walk = await startWalk()
    const client = connect(walk)
    const thought = { type: 'reasoning', summary: [{ text: 'The user wrote: hi there' }] }
    const plain = await client.responses.create(hardQuestion)
    expect(plain.output).toMatchObject([thought, { type: 'message' }])

    const stream = client.responses.stream(hardQuestion)
    const deltas: string[] = []
    stream.on('response.reasoning_summary_text.delta', ({ delta }) => void deltas.push(delta))
    const streamed = await stream.finalResponse()
    expect(deltas.join('')).toBe('The user wrote: hi there')
    expect(streamed.output).toMatchObject([thought, { type: 'message' }])
    expect(streamed.usage?.output_tokens_details.reasoning_tokens).toBe(5)
  })

  test('a client that goes on from its last answer is understood by the account', async () => {
    await using walk = await startWalk()
    const client = connect(walk)
    const first = await client.responses.create(question)
    const second = await client.responses.create({ ...question, previous_response_id: first.id })
    expect(second.previous_response_id).toBe(first.id)
  })
})
