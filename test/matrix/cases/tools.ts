import assert from 'node:assert/strict'

import type { Call, Tool } from '../conversation.ts'
import type { Received } from '../received/index.ts'
import type { Case, Seen } from './case.ts'
import { endings } from './endings.ts'

const weather: Tool = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 2 } },
    required: ['city', 'days'],
  },
}

const clock: Tool = {
  name: 'get_time',
  description: 'The time in a zone.',
  parameters: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
}

const tools = [weather, clock]
const weatherCall = { name: 'get_weather', input: { city: 'example', days: 2 } }
const timeCall = { name: 'get_time', input: { zone: 'example' } }

const oneTool: Case = {
  name: 'tool call',
  upstream: 'tool=get_time',
  settings: { tools },
  turns: [[{ text: 'What time is it?' }]],
  check(seen) {
    checkCalls(seen, [timeCall])
    assert.deepEqual(seen.received[0]?.tools, tools)
    assert.equal(seen.received[0]?.forced, undefined)
  },
}

const forcedTool: Case = {
  name: 'forced tool',
  upstream: 'echo',
  settings: { tools, forced: 'get_time' },
  turns: [[{ text: 'Hello' }]],
  check(seen) {
    checkCalls(seen, [timeCall])
    assert.equal(seen.received[0]?.forced, 'get_time')
  },
}

const parallelTools: Case = {
  name: 'parallel calls',
  upstream: 'tools=3',
  settings: { tools },
  turns: [[{ text: 'Compare.' }]],
  check: (seen) => checkCalls(seen, [weatherCall, timeCall, weatherCall]),
}

const toolResults: Case = {
  name: 'tool results',
  upstream: 'tools=3',
  settings: { tools },
  turns: [[{ text: 'Compare.' }], (_, index) => `result ${index}`],
  check({ client, replies, received }) {
    const [, reply] = replies
    assert.match(reply?.text ?? '', /^The tool answered: (result \d(; )?){3}$/)
    assert.equal(reply?.ending, endings.done[client])
    assert.deepEqual(reply?.calls, [])

    const [, request] = received
    assert.deepEqual(
      request?.turns.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
    assert.deepEqual(answered(request), [
      { ...weatherCall, result: 'result 0' },
      { ...timeCall, result: 'result 1' },
      { ...weatherCall, result: 'result 2' },
    ])
  },
}

const hostedTool: Case = {
  name: 'web search of the provider',
  upstream: 'echo',
  settings: { search: true },
  turns: [[{ text: 'Hello' }]],
  outcomes: {
    'responses on chat': '400 tools[0]',
    'responses on messages': '400 tools[0]',
    'responses on generate': '400 tools[0]',
    'responses on converse': '400 tools[0]',
    'chat on responses': '400 web_search_options',
    'chat on messages': '400 web_search_options',
    'chat on generate': '400 web_search_options',
    'chat on converse': '400 web_search_options',
    'messages on responses': '400 tools[0]',
    'messages on chat': '400 tools[0]',
    'messages on generate': '400 tools[0]',
    'messages on converse': '400 tools[0]',
    'generate on responses': '400 tools[0].googleSearch',
    'generate on chat': '400 tools[0].googleSearch',
    'generate on messages': '400 tools[0].googleSearch',
    'generate on converse': '400 tools[0].googleSearch',
  },
  check({ replies, received }) {
    assert.equal(replies[0]?.text, 'You said: Hello')
    assert.equal(received[0]?.search, true)
  },
}

function checkCalls({ client, replies }: Seen, expected: readonly object[]): void {
  const [reply] = replies
  assert.deepEqual(reply?.calls.map(withoutId), expected)
  assert.equal(reply?.ending, endings.calls[client])
  assert.equal(reply?.text, '')
  const ids = (reply?.calls ?? []).flatMap(({ id }) => id ?? [])
  assert.equal(new Set(ids).size, ids.length, `ids are given twice: ${ids.join(' ')}`)
  // Only Gemini's own replies may leave ids out.
  if (client !== 'generate') assert.equal(ids.length, expected.length)
}

const withoutId = ({ name, input }: Omit<Call, 'id'>) => ({ name, input })

/** Each call as the account finds it, with the result that it takes for the call's own. */
function answered(request: Received | undefined): object[] {
  const [, called, answer] = request?.turns ?? []
  const left = [...(answer?.results ?? [])]
  return (called?.calls ?? []).map((call) => {
    const at = left.findIndex(({ id, name }) => (id ? id === call.id : name === call.name))
    const [result] = left.splice(at, at < 0 ? 0 : 1)
    return { ...withoutId(call), result: result?.text }
  })
}

export const toolUse = [oneTool, forcedTool, parallelTools, toolResults, hostedTool]
