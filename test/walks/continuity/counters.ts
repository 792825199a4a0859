import type { TestGateway } from '../../../src/testing/gateway.ts'
import { numberAt, stringAt } from '../../../src/lib/json/read.ts'

export type Counter = 'responses' | 'messages' | 'generate'

interface Asking {
  readonly model?: string
  readonly path?: string
  /** Further fields of the question. */
  readonly fields?: object
}

interface CounterClient {
  /** Asks how many tokens a conversation of four words has. */
  ask(gateway: TestGateway, asking?: Asking): Promise<Response>
  read(json: unknown): number | undefined
  /** What its errors call a bad request, and too many of them. */
  readonly kinds: { readonly bad: string; readonly tooMany: string }
}

const turns = [
  ['user', 'one two'],
  ['assistant', 'three'],
  ['user', 'four'],
] as const
const spoken = turns.map(([role, content]) => ({ role, content }))
const contents = turns.map(([role, said]) => ({
  role: role === 'user' ? role : 'model',
  parts: [{ text: said }],
}))
const openAiKinds = { bad: 'invalid_request_error', tooMany: 'rate_limit_error' }

/** A client of each dialect that has a call for it. */
export const counters: Readonly<Record<Counter, CounterClient>> = {
  responses: {
    ask: asker((model) => ({
      path: '/v1/responses/input_tokens',
      question: { model, input: spoken },
    })),
    read: (json) =>
      stringAt(json, 'object') === 'response.input_tokens'
        ? numberAt(json, 'input_tokens')
        : undefined,
    kinds: openAiKinds,
  },
  messages: {
    ask: asker((model) => ({
      path: '/v1/messages/count_tokens',
      question: { model, messages: spoken },
    })),
    read: (json) => numberAt(json, 'input_tokens'),
    kinds: openAiKinds,
  },
  generate: {
    ask: asker((model) => ({
      path: `/v1beta/models/${model}:countTokens`,
      question: { contents },
    })),
    read: (json) => numberAt(json, 'totalTokens'),
    kinds: { bad: 'INVALID_ARGUMENT', tooMany: 'RESOURCE_EXHAUSTED' },
  },
}

function asker(usual: (model: string) => { path: string; question: object }): CounterClient['ask'] {
  return ({ url, key }, { model = 'm', path, fields } = {}) => {
    const asked = usual(model)
    return fetch(url + (path ?? asked.path), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...asked.question, ...fields }),
    })
  }
}
