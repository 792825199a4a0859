import { type JsonObject, isObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts'
import { renderOpenAiError } from '../openai/provider.ts'
import type { Problem } from '../problem.ts'
import type { Frame } from '../wire/frame.ts'
import type { ErrorShape, Quirks, ReasoningPlace } from './quirks.ts'

/** A completion as a server writes it. */
export function renderQuirks(json: JsonObject, quirks: Quirks): JsonObject {
  const choices = objectsOf(json['choices']).map((choice) => {
    const message = new Thoughts(quirks.reasoning).render(objectOf(choice['message']), true)
    return { ...choice, message: withIds(message, quirks) }
  })
  const usage = usageOf(json['usage'], quirks)
  const state = quirks.errors === 'base-resp' && { base_resp: { status_code: 0, status_msg: '' } }
  return { ...json, choices, ...(usage && { usage }), ...state }
}

/** The chunks of a completion as a server writes them. The last but one has the usage. */
export function renderChunks(frames: Frame[], quirks: Quirks): Frame[] {
  const thoughts = new Thoughts(quirks.reasoning)
  const chunks = frames.map((frame): Frame => {
    if (!isObject(frame.data)) return frame
    const choices = objectsOf(frame.data['choices']).map((choice) => ({
      ...choice,
      delta: withIds(thoughts.render(objectOf(choice['delta']), false), quirks),
    }))
    const usage = usageOf(frame.data['usage'], quirks)
    return { data: { ...frame.data, choices, ...(usage && { usage }) } }
  })
  return quirks.usage ? withUsage(chunks, quirks.usage) : chunks
}

/** The ids of tool calls in the form of the server. */
function withIds(message: JsonObject, { callIds }: Quirks): JsonObject {
  if (!callIds || !Array.isArray(message['tool_calls'])) return message
  const calls = objectsOf(message['tool_calls']).map(({ id, ...call }) =>
    typeof id === 'string' ? { ...call, id: id.slice(-9) } : call,
  )
  return { ...message, tool_calls: calls }
}

/** Moves the usage from its own chunk to the last one with a choice. */
function withUsage(frames: Frame[], place: 'last-chunk' | 'x_groq'): Frame[] {
  const at = frames.findIndex(
    ({ data }) => isObject(data) && objectsOf(data['choices']).length === 0,
  )
  const { usage } = objectOf(frames[at]?.data)
  return frames
    .map((frame, index): Frame => {
      if (!isObject(frame.data)) return frame
      const { usage: _, ...data } = frame.data
      if (index !== at - 1) return { data }
      return { data: { ...data, ...(place === 'x_groq' ? { x_groq: { usage } } : { usage }) } }
    })
    .filter((_, index) => index !== at)
}

function usageOf(usage: unknown, { cost, excludesReasoning }: Quirks): JsonObject | undefined {
  if (!isObject(usage)) return undefined
  const { reasoning_tokens: thought } = objectOf(usage['completion_tokens_details'])
  const output = (numberOf(usage['completion_tokens']) ?? 0) - (numberOf(thought) ?? 0)
  return { ...usage, ...(excludesReasoning && { completion_tokens: output }), ...cost }
}

/** Writes reasoning where a server has it. */
class Thoughts {
  readonly #place: ReasoningPlace
  #isThinking = false

  constructor(place: ReasoningPlace = 'reasoning_content') {
    this.#place = place
  }

  render(message: JsonObject, isWhole: boolean): JsonObject {
    const { reasoning_content: thought, ...rest } = message
    const content = textOf(rest['content'])
    if (typeof thought !== 'string') return this.#isThinking ? this.#close(rest, content) : rest
    if (this.#place === 'none') return rest
    if (this.#place === 'thinking') {
      const part = { type: 'thinking', thinking: [{ type: 'text', text: thought }] }
      return { ...rest, content: content === '' ? [part] : [part, { type: 'text', text: content }] }
    }
    if (this.#place !== 'think-tags') return { ...rest, [this.#place]: thought }
    const opened = (this.#isThinking ? '' : '<think>\n') + thought
    this.#isThinking = !isWhole
    return { ...rest, content: isWhole ? `${opened}\n</think>\n\n${content}` : opened }
  }

  #close(rest: JsonObject, content: string): JsonObject {
    if (content === '' && Object.keys(rest).length > 0) return rest
    this.#isThinking = false
    return { ...rest, content: `\n</think>\n\n${content}` }
  }
}

/** The body of an error as a server writes it. */
export function renderShape(problem: Problem, shape: ErrorShape = 'openai'): JsonObject {
  const { message, status } = problem
  const error = renderOpenAiError(problem)
  switch (shape) {
    case 'openai':
      return { error }
    case 'number':
      return { error: { code: status, message, metadata: {} } }
    case 'flat':
      return { object: 'error', ...error }
    case 'text':
      return { error: message }
    case 'code-and-text':
      return { code: textOf(error['code']) || 'error', error: message }
    case 'message':
      return { message }
    case 'errors':
      return {
        success: false,
        errors: [{ code: 7000 + status, message }],
        messages: [],
        result: null,
      }
    case 'digits':
      return { error: { code: status === 429 ? '1302' : '1234', message } }
    case 'base-resp':
      return { base_resp: { status_code: codeOf(status), status_msg: message }, choices: null }
  }
}

function codeOf(status: number): number {
  const codes: Record<number, number> = { 400: 2013, 401: 1004, 402: 1008, 429: 1002, 504: 1001 }
  return codes[status] ?? 1000
}
