import { type Host, pdf, png, schema } from './host.ts'

const hello = { role: 'user', content: 'Hello' }
const request = (...messages: object[]) => ({ max_tokens: 4000, messages })
const says = (...content: object[]) => request({ role: 'user', content })
const answers = (...content: object[]) => request(hello, { role: 'assistant', content }, hello)
const look = { name: 'look', input_schema: schema }
const called = { type: 'tool_use', id: 'call_1', name: 'look', input: {} }
const calls = (result: object = {}) => ({
  tools: [look],
  ...request(
    hello,
    { role: 'assistant', content: [called] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Seen.', ...result }],
    },
  ),
})
const text = { type: 'text', text: 'Hi.' }
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
const document = {
  type: 'document',
  source: { type: 'base64', media_type: 'application/pdf', data: pdf },
}
const found = { type: 'search_result', source: 'https://x.test', title: 'Found', content: [text] }
const inside: readonly (readonly [string, object])[] = [
  ['text', text],
  ['image', image],
  ['document', document],
  ['search_result', found],
]

/** The kinds of sources, complete where a field is not the only one. */
const sources: readonly (readonly [block: string, source: { type: string; data?: string }])[] = [
  ['image', image.source],
  ['image', { type: 'url' }],
  ['image', { type: 'file' }],
  ['document', document.source],
  ['document', { type: 'url' }],
  ['document', { type: 'file' }],
  ['document', { type: 'text', data: 'Words' }],
  ['document', { type: 'content' }],
]

const thinks = (thinking: object) => ({ thinking, ...request(hello) })

/** Requests of Messages. */
export const messagesHosts: readonly Host[] = [
  { of: '', body: request(hello), at: '' },
  { of: 'system[]', body: { system: [text], ...request(hello) }, at: 'system[0]' },
  { of: 'messages[user]', body: request(hello), at: 'messages[0]' },
  {
    of: 'messages[assistant]',
    body: request(hello, { role: 'assistant', content: 'Hi.' }, hello),
    at: 'messages[1]',
  },
  {
    of: 'messages[system]',
    body: request(hello, { role: 'system', content: 'Hi.' }, hello),
    at: 'messages[1]',
  },
  {
    of: 'messages[system].content[]',
    body: request(hello, { role: 'system', content: [text] }, hello),
    at: 'messages[1].content[0]',
  },
  {
    of: 'messages[system].content[*]',
    body: request(hello, { role: 'system', content: [text] }, hello),
    at: 'messages[1].content[1]',
  },
  { of: 'messages[user].content[*]', body: says(text), at: 'messages[0].content[1]' },
  { of: 'messages[assistant].content[*]', body: answers(text), at: 'messages[1].content[1]' },
  ...inside.flatMap(([kind, block]): Host[] => [
    { of: `messages[user].content[${kind}]`, body: says(block), at: 'messages[0].content[0]' },
    {
      of: `messages[user].content[tool_result].content[${kind}]`,
      body: calls({ content: [text, block] }),
      at: 'messages[2].content[0].content[1]',
    },
  ]),
  {
    of: 'messages[user].content[tool_result].content[*]',
    body: calls({ content: [text] }),
    at: 'messages[2].content[0].content[1]',
  },
  { of: 'messages[user].content[tool_result]', body: calls(), at: 'messages[2].content[0]' },
  { of: 'messages[assistant].content[text]', body: answers(text), at: 'messages[1].content[0]' },
  { of: 'messages[assistant].content[tool_use]', body: calls(), at: 'messages[1].content[0]' },
  {
    of: 'messages[assistant].content[thinking]',
    body: answers({ type: 'thinking', thinking: 'Why', signature: 'c2ln' }, text),
    at: 'messages[1].content[0]',
  },
  {
    of: 'messages[assistant].content[redacted_thinking]',
    body: answers({ type: 'redacted_thinking', data: 'c2ln' }, text),
    at: 'messages[1].content[0]',
  },
  {
    of: 'messages[assistant].content[tool_use].id',
    body: { tools: [look], ...request(hello, { role: 'assistant', content: [called] }) },
    at: 'messages[1].content[0].id',
  },
  ...sources.map(([type, source]): Host => ({
    of: `messages[user].content[${type}].source[${source.type}]`,
    body: says({ type, source }),
    at: 'messages[0].content[0].source',
  })),
  ...sources.map(([type, source]): Host => ({
    of: `messages[user].content[tool_result].content[${type}].source[${source.type}]`,
    body: calls({ content: [text, { type, source }] }),
    at: 'messages[2].content[0].content[1].source',
  })),
  { of: 'tools[*]', body: request(hello), at: 'tools[0]' },
  { of: 'tools[custom]', body: { tools: [look], ...request(hello) }, at: 'tools[0]' },
  {
    of: 'thinking[enabled].display',
    body: thinks({ type: 'enabled', budget_tokens: 2048, display: 'omitted' }),
    at: 'thinking.display',
  },
  {
    of: 'thinking[adaptive]',
    body: thinks({ type: 'adaptive', display: 'omitted' }),
    at: 'thinking',
  },
  { of: 'tool_choice', body: { tools: [look], ...request(hello) }, at: 'tool_choice' },
  {
    of: 'tool_choice[tool]',
    body: {
      tools: [look, { ...look, name: 'hear' }],
      tool_choice: { type: 'tool', name: 'hear' },
      ...request(hello),
    },
    at: 'tool_choice',
  },
  {
    of: 'thinking[enabled]',
    body: { thinking: { type: 'enabled', budget_tokens: 2048 }, ...request(hello) },
    at: 'thinking',
  },
  {
    of: 'output_config.format',
    body: { output_config: { format: { type: 'json_schema', schema } }, ...request(hello) },
    at: 'output_config.format',
  },
  {
    of: 'output_format',
    body: { output_format: { type: 'json_schema', schema }, ...request(hello) },
    at: 'output_format',
  },
]
