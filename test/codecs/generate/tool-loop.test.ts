import { expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { AssistantPart } from '../../../src/generate/content.ts'
import type { GenerateRequest, Turn } from '../../../src/generate/request.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { chunksIn, collect, hello, read, readEvents } from './codec.ts'
import { post } from './sandbox.ts'

const tools: GenerateRequest['tools'] = [
  {
    kind: 'function',
    name: 'get weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

/** What a strict account says, read from a stream or in one piece. */
async function ask(
  sandbox: Sandbox,
  told: Partial<GenerateRequest>,
  model: string,
): Promise<GenerateResult> {
  const answer = await post(sandbox, told, model)
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(body)
  const result = told.stream
    ? collect(readEvents(chunksIn(body), told))
    : read(JSON.parse(body) as JsonObject, told)
  if (!result || 'type' in result) throw new Error(`No reply in ${body}`)
  return result
}

function resultsOf(content: readonly AssistantPart[]): Turn {
  const calls = content.filter((part) => part.type === 'tool_call')
  const said = [{ type: 'text' as const, text: 'rain' }]
  return { role: 'tool', results: calls.map(({ id }) => ({ callId: id, content: said })) }
}

test.each([
  ['in one piece', false],
  ['in a stream', true],
])('an account that signs its calls gets its own signature back, told %s', async (_, stream) => {
  await using sandbox = await startSandbox()
  const first = await ask(sandbox, { tools, stream }, 'sandbox/think+tools=2')
  const { content, stop } = first.choices[0]!
  expect(stop.reason).toBe('tool_calls')
  expect(content.map(({ type }) => type)).toEqual(['reasoning', 'tool_call', 'tool_call'])
  expect(content[1]).toMatchObject({ name: 'get weather', signature: { dialect: 'generate' } })

  const turns: Turn[] = [hello, { role: 'assistant', content }, resultsOf(content)]
  const second = await ask(sandbox, { turns, tools, stream }, 'sandbox/echo')
  expect(second.choices[0]).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('rain') as string }],
    stop: { reason: 'stop' },
  })
})

test('an account that is sent a signature of another account refuses the request', async () => {
  await using sandbox = await startSandbox()
  const signature = { dialect: 'generate', value: 'Zm9yZWlnbg==' }
  const content: AssistantPart[] = [
    { type: 'tool_call', id: 'c', name: 'a', kind: 'function', arguments: '{}', signature },
  ]
  const turns: Turn[] = [hello, { role: 'assistant', content }, resultsOf(content)]
  expect((await post(sandbox, { turns })).status).toBe(400)
  const elsewhere = { ...signature, dialect: 'messages' }
  const foreign = content.map((part) => ({ ...part, signature: elsewhere }) as AssistantPart)
  const others: Turn[] = [hello, { role: 'assistant', content: foreign }, resultsOf(foreign)]
  expect((await post(sandbox, { turns: others })).status).toBe(200)
})

test.each(['echo', 'think', 'tool', 'refuse', 'words=20', 'nousage', 'finish=SAFETY'])(
  'an account says the same in one piece and in a stream: %s',
  async (directive) => {
    await using sandbox = await startSandbox()
    const model = `sandbox/${directive}`
    const whole = await ask(sandbox, { tools }, model)
    const streamed = await ask(sandbox, { tools, stream: true }, model)
    expect(withoutNames(streamed)).toEqual(withoutNames(whole))
  },
)

/** Replies differ in their ids, and so do calls, which are named after them. Signatures are new. */
function withoutNames({ choices, usage }: GenerateResult) {
  const content = choices.map((choice) =>
    choice.content.map((part) => ({
      ...part,
      ...('id' in part && { id: '' }),
      ...('signature' in part && { signature: part.signature?.dialect }),
    })),
  )
  return { content, stops: choices.map(({ stop }) => stop), usage }
}
