import { describe, expect, test } from 'vitest'

import { chatHelpers, openaiVersions } from './openai.ts'
import { collect, startWalk } from './walk.ts'

const question = {
  model: 'sandbox/echo',
  messages: [{ role: 'user' as const, content: 'hi there' }],
}
const hardQuestion = { ...question, reasoning_effort: 'high' as const }

/** What many upstreams add for models that think; the SDK's types do not know it. */
interface Thoughtful {
  readonly reasoning_content?: string
}

describe.for(openaiVersions)('$name, chat completions', ({ connect }) => {
  test('a client that asks gets the answer, its usage and the id of the request', async () => {
    await using walk = await startWalk()
    const completion = await connect(walk).chat.completions.create(question)
    expect(completion.choices[0]).toMatchObject({
      message: { role: 'assistant', content: 'You said: hi there' },
      finish_reason: 'stop',
    })
    expect(completion.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 4 })

    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ route: 'chat.create', account: 'a', status: 200 })
    expect(completion._request_id).toBe(line?.request_id)
  })

  test('a client that iterates over a stream sees the text grow, and the usage', async () => {
    await using walk = await startWalk()
    const stream = await connect(walk).chat.completions.create({
      ...question,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toBe('You said: hi there')
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 6 } })
  })

  test('a client that uses the stream helper has the whole completion at its end', async () => {
    await using walk = await startWalk()
    const stream = chatHelpers(connect(walk)).stream(question)
    const deltas: string[] = []
    stream.on('content', (delta) => void deltas.push(delta))
    const completion = await stream.finalChatCompletion()
    expect(deltas).toEqual(['You', ' said:', ' hi', ' there'])
    expect(completion.choices[0]?.message.content).toBe('You said: hi there')
  })

  test('a client that lets the model think reads the thoughts', async () => {
    await using walk = await startWalk()
    const { completions } = connect(walk).chat
    const plain = await completions.create(hardQuestion)
    expect(plain.choices[0]?.message).toMatchObject({
      reasoning_content: 'The user wrote: hi there',
      content: 'You said: hi there',
    })

    const chunks = await collect(await completions.create({ ...hardQuestion, stream: true }))
    const thoughts = chunks.map(({ choices }) => choices[0]?.delta as Thoughtful | undefined)
    expect(thoughts.map((delta) => delta?.reasoning_content ?? '').join('')).toBe(
      'The user wrote: hi there',
    )
  })
})
