import type Anthropic from 'anthropic-1'
import { describe, expect, test } from 'vitest'

import { anthropicVersions } from './anthropic.ts'
import { callingModel, weather, weatherAnswer, weatherInput } from './tools.ts'
import { startWalk } from './walk.ts'

const { parameters, ...named } = weather

const question = {
  model: callingModel,
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content: 'How is the weather?' }],
  tools: [{ ...named, input_schema: parameters }],
}

describe.for(anthropicVersions)('$name, tools', ({ connect }) => {
  test.for([false, true])(
    'a call comes back, and its result goes in, streamed: %s',
    async (stream) => {
      await using walk = await startWalk()
      const { messages } = connect(walk)
      const ask = (request: typeof question | Anthropic.MessageCreateParamsNonStreaming) =>
        stream ? messages.stream(request).finalMessage() : messages.create(request)

      const asked = await ask(question)
      expect(asked.stop_reason).toBe('tool_use')
      expect(asked.content).toMatchObject([
        { type: 'tool_use', name: 'weather', input: weatherInput },
      ])

      const turns = [{ role: 'assistant' as const, content: asked.content }, resultsOf(asked)]
      const answered = await ask({ ...question, messages: [...question.messages, ...turns] })
      expect(answered.content).toMatchObject([{ type: 'text', text: weatherAnswer }])
    },
  )

  test('a call after a thought goes round with the thought in the history', async () => {
    await using walk = await startWalk()
    const { messages } = connect(walk)
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
    const asked = await messages.stream({ ...question, thinking }).finalMessage()
    expect(asked.content.map(({ type }) => type)).toEqual(['thinking', 'tool_use'])

    const turns = [{ role: 'assistant' as const, content: asked.content }, resultsOf(asked)]
    const answered = await messages.create({
      ...question,
      thinking,
      messages: [...question.messages, ...turns],
    })
    expect(answered.content.at(-1)).toMatchObject({ text: weatherAnswer })
  })

  test.for([false, true])('the tool runner goes round, streamed: %s', async (stream) => {
    await using walk = await startWalk()
    const inputs: unknown[] = []
    const tool = {
      ...question.tools[0]!,
      parse: (input: unknown) => input,
      run: (input: unknown) => {
        inputs.push(input)
        return 'sunny'
      },
    }
    const runner = connect(walk).beta.messages.toolRunner({
      ...question,
      model: 'sandbox/tool+tools=2',
      tools: [tool],
      stream,
    })
    const answered = await runner.runUntilDone()
    expect(answered.content).toMatchObject([{ text: `${weatherAnswer}; sunny` }])
    expect(inputs).toEqual([weatherInput, weatherInput])
  })
})

function resultsOf({ content }: Anthropic.Message): Anthropic.MessageParam {
  const uses = content.filter((block) => block.type === 'tool_use')
  return {
    role: 'user',
    content: uses.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'sunny' })),
  }
}
