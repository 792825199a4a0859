import { jsonSchema, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'

import { aiProviders, once } from './ai.ts'
import { startWalk } from './walk.ts'

const values = {
  place: { city: 'Oslo, "the" wörd\n which is streamed in many pieces', none: null },
  days: [1, { hour: 12.5, open: true }, [], {}],
  nothing: '',
}

/** A schema that has the sandbox call with these values. */
const properties = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, { const: value }]),
)
const inputSchema = jsonSchema({ type: 'object', properties, required: Object.keys(values) })

describe.for(aiProviders)('$name', (provider) => {
  test.each(['tool', 'tool+tools=2', 'tool+tools=2+multiline', 'tool+split=7'])(
    'a client hears the whole calls of a Gemini account that streams them in pieces: %s',
    async (steering) => {
      await using walk = await startWalk()
      walk.gateway.reload({
        accounts: [
          {
            id: 'a',
            provider: 'sandbox',
            baseUrl: walk.sandbox.url,
            apiKey: 'sandbox-key-a',
            speaks: ['generate'],
            models: { m: `sandbox/pieces+${steering}` },
          },
        ],
      })
      const result = streamText({
        ...once,
        model: provider.model(walk, 'm'),
        prompt: 'hi',
        tools: { weather: tool({ inputSchema }) },
      })
      const calls = (await result.toolCalls).map(({ toolName, input }) => [toolName, input])
      const count = steering.includes('tools=2') ? 2 : 1
      expect(calls).toEqual(Array.from({ length: count }, () => ['weather', values]))
      expect(await result.finishReason).toBe('tool-calls')
    },
  )
})
