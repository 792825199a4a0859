import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { chatHelpers, openaiVersions } from './openai.ts'
import { callingModel, weather, weatherAnswer, weatherInput } from './tools.ts'
import { startWalk } from './walk.ts'

const responsesQuestion = {
  model: callingModel,
  input: [{ role: 'user' as const, content: 'How is the weather?' }],
  tools: [{ type: 'function' as const, strict: true, ...weather }],
}

const chatQuestion = {
  model: callingModel,
  messages: [{ role: 'user' as const, content: 'How is the weather?' }],
  tools: [{ type: 'function' as const, function: weather }],
}

const called = { name: 'weather', arguments: JSON.stringify(weatherInput) }

describe.for(openaiVersions)('$name, tools', ({ connect }) => {
  test('a call of responses comes back, and its result goes in by the id of the response', async () => {
    await using walk = await startWalk()
    const { responses } = connect(walk)
    const asked = await responses.create(responsesQuestion)
    expect(asked.output).toMatchObject([{ type: 'function_call', ...called }])

    const answered = await responses.create({
      ...responsesQuestion,
      previous_response_id: asked.id,
      input: resultsOf(asked.output),
    })
    expect(answered.output_text).toBe(weatherAnswer)
  })

  test('a streamed call of responses comes back, and its result goes in with the history', async () => {
    await using walk = await startWalk()
    const { responses } = connect(walk)
    const asked = await responses.stream(responsesQuestion).finalResponse()
    expect(asked.output).toMatchObject([{ type: 'function_call', ...called }])
    // A note of the helper's own, that no account takes.
    expect(asked.output[0]).toHaveProperty('parsed_arguments')

    const history = asked.output as OpenAI.Responses.ResponseInputItem[]
    const input = [...responsesQuestion.input, ...history, ...resultsOf(asked.output)]
    const answered = await responses.stream({ ...responsesQuestion, input }).finalResponse()
    expect(answered.output).toMatchObject([{ content: [{ text: weatherAnswer }] }])
  })

  test('a call of chat comes back, and its result goes in with the history', async () => {
    await using walk = await startWalk()
    const { completions } = connect(walk).chat
    const asked = await completions.create(chatQuestion)
    const message = asked.choices[0]!.message
    expect(asked.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message.tool_calls).toMatchObject([{ type: 'function', function: called }])

    const result = {
      role: 'tool' as const,
      tool_call_id: message.tool_calls?.[0]?.id ?? '',
      content: 'sunny',
    }
    const messages = [...chatQuestion.messages, message, result]
    const answered = await completions.create({ ...chatQuestion, messages })
    expect(answered.choices[0]?.message.content).toBe(weatherAnswer)
  })

  test.for([false, true])('the tool runner of chat goes round, streamed: %s', async (stream) => {
    await using walk = await startWalk()
    const inputs: unknown[] = []
    const tool = {
      type: 'function' as const,
      function: {
        ...weather,
        strict: true,
        parse: JSON.parse,
        function: (input: unknown) => {
          inputs.push(input)
          return 'sunny'
        },
      },
    }
    const asked = { ...chatQuestion, model: 'sandbox/tool+tools=2', tools: [tool] as never }
    const helpers = chatHelpers(connect(walk))
    const runner = stream
      ? helpers.runTools({ ...asked, stream: true })
      : helpers.runTools({ ...asked, stream: false })
    expect(await runner.finalContent()).toBe(`${weatherAnswer}; sunny`)
    expect(inputs).toEqual([weatherInput, weatherInput])
  })
})

function resultsOf(output: OpenAI.Responses.ResponseOutputItem[]) {
  return output
    .filter((item) => item.type === 'function_call')
    .map(({ call_id }) => ({ type: 'function_call_output' as const, call_id, output: 'sunny' }))
}
