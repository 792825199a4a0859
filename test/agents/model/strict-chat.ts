/**
 * A chat server that is not OpenAI's, as strict as the strictest: it knows no other fields than those of most
 * servers, demands one system message at the start, roles that alternate, strings and schemas of objects.
 */

type Json = Readonly<Record<string, unknown>>

const requestFields = new Set([
  'frequency_penalty',
  'max_tokens',
  'messages',
  'model',
  'parallel_tool_calls',
  'presence_penalty',
  'reasoning_effort',
  'response_format',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
  'user',
])

const messageFields: ReadonlyMap<unknown, ReadonlySet<string>> = new Map([
  ['system', new Set(['role', 'content'])],
  ['user', new Set(['role', 'content'])],
  // The server sends `reasoning_content` itself.
  ['assistant', new Set(['role', 'content', 'reasoning_content', 'tool_calls'])],
  ['tool', new Set(['role', 'content', 'tool_call_id'])],
])

const functionFields = new Set(['name', 'description', 'parameters'])

/** Why the server refuses a request for a chat completion; empty if it does not. */
export function objectionsTo(request: Json): string[] {
  return [
    ...unknownIn(request, requestFields, 'the request'),
    ...objectionsToMessages(listIn(request['messages'])),
    ...listIn(request['tools']).flatMap(objectionsToTool),
  ]
}

function objectionsToMessages(messages: readonly Json[]): string[] {
  let before: unknown = 'nothing'
  return messages.flatMap((message, index) => {
    const { role, content, tool_calls: calls } = message
    const place = `messages[${index}]`
    const known = messageFields.get(role)
    const follows = role === before && role !== 'tool'
    const isString = typeof content === 'string' || (content === null && Array.isArray(calls))
    before = role
    return [
      ...(known ? unknownIn(message, known, place) : [`${place} has the role ${String(role)}`]),
      ...(role === 'system' && index > 0 ? [`${place} is a system message after the start`] : []),
      ...(follows ? [`${place} follows a message of its role`] : []),
      ...(isString ? [] : [`the content of ${place} is no string`]),
    ]
  })
}

function objectionsToTool({ type, function: called }: Json, index: number): string[] {
  const place = `tools[${index}].function`
  if (type !== 'function' || typeof called !== 'object' || called === null) {
    return [`tools[${index}] is no function`]
  }
  const { parameters } = called as Json
  const { type: kind, properties } = (parameters ?? {}) as Json
  const isObject = kind === 'object' && typeof properties === 'object' && properties !== null
  return [
    ...unknownIn(called as Json, functionFields, place),
    ...(isObject ? [] : [`the parameters of ${place} are no object with properties`]),
  ]
}

function unknownIn(object: Json, known: ReadonlySet<string>, place: string): string[] {
  const names = Object.keys(object).filter((name) => !known.has(name))
  return names.map((name) => `${place} has the unknown field ${name}`)
}

function listIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}
