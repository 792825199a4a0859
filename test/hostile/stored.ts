/** A resource that the gateway keeps, and small calls about it, each of them many times at once. */
interface StoredResource {
  readonly path: '/v1/responses' | '/v1/conversations'
  /** The body that creates it. */
  readonly body: string
  readonly calls: readonly StoredCall[]
}

/** A small call about a resource, of which the gateway may refuse some for lack of memory. */
export interface StoredCall {
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** The path and the body for an id, of the resource and of its first item. */
  readonly path: (id: string) => string
  readonly body?: (id: string, item: string) => string
}

const tool = (at: number) =>
  `{"type":"function","name":"f${at}","description":"d","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}`

const described = (description: string) =>
  `{"model":"chat-model","input":"hi","tools":[{"type":"function","name":"f","description":"${description}","parameters":{}}]}`

const ofResponse: readonly StoredCall[] = [
  { name: 'look-ups', method: 'GET', path: (id) => `/v1/responses/${id}` },
  { name: 'replays', method: 'GET', path: (id) => `/v1/responses/${id}?stream=true` },
  { name: 'pages', method: 'GET', path: (id) => `/v1/responses/${id}/input_items?limit=1` },
  {
    name: 'calls that continue',
    method: 'POST',
    path: () => '/v1/responses',
    body: (id) => `{"model":"chat-model","input":"x","previous_response_id":"${id}"}`,
  },
  {
    name: 'calls that name an item 800 times',
    method: 'POST',
    path: () => '/v1/responses',
    body: (_id, item) =>
      `{"model":"chat-model","input":[${`{"type":"item_reference","id":"${item}"},`.repeat(800)}{"role":"user","content":"x"}]}`,
  },
]

const ofConversation: readonly StoredCall[] = [
  {
    name: 'changes',
    method: 'POST',
    path: (id) => `/v1/conversations/${id}`,
    body: () => '{"metadata":{"a":"b"}}',
  },
  {
    name: 'additions',
    method: 'POST',
    path: (id) => `/v1/conversations/${id}/items`,
    body: () => '{"items":[{"type":"message","role":"user","content":"x"}]}',
  },
]

const MiB = 1024 * 1024

/** The largest resources that the gateway keeps. */
export const storedResources: Readonly<Record<string, StoredResource>> = {
  'a long tool': {
    path: '/v1/responses',
    body: described('a'.repeat(7.9 * MiB)),
    calls: ofResponse,
  },
  'an escaped tool': {
    path: '/v1/responses',
    body: described('\\u0001'.repeat(1.3 * MiB)),
    calls: ofResponse,
  },
  'many tools': {
    path: '/v1/responses',
    body: `{"model":"chat-model","input":"hi","tools":[${Array.from({ length: 10_000 }, (_, at) => tool(at)).join(',')}]}`,
    calls: ofResponse,
  },
  'many items': {
    path: '/v1/conversations',
    body: `{"items":[${Array(20_001).fill('{"type":"message","role":"user","content":"hi"}').join(',')}]}`,
    calls: ofConversation,
  },
}
