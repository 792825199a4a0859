import type { JsonObject } from '../../../src/lib/json/object.ts'
import { readFrames } from './frames.ts'
import {
  type ClientReader,
  insist,
  isObject,
  listAt,
  objectAt,
  parsedInput,
  type ReadUsage,
  type Reading,
  stringAt,
  tokensAt,
} from './reading.ts'

const reasons = new Set<unknown>(['stop', 'length', 'tool_calls', 'content_filter'])

/** How a client of chat completions reads. Of several choices it looks at the first. */
export const chatReader: ClientReader = {
  stream(wire) {
    const stream = new ChunkReader()
    for (const { name, json } of readFrames(wire)) {
      insist(name === '' || name === 'error', `an event has the name ${name}`)
      stream.push(json)
    }
    return stream.reading
  },

  body(json) {
    insist(json.object === 'chat.completion', 'the object is no completion')
    const { message, finish_reason: reason } = listAt(json, 'choices')[0] ?? {}
    insist(isObject(message) && message.role === 'assistant', 'there is no message')
    const calls = message.tool_calls === undefined ? [] : listAt(message, 'tool_calls')
    return {
      text: `${textOf(message.content)}${textOf(message.refusal)}`,
      thoughts: textOf(message.reasoning_content),
      calls: calls.map((call) => readCall(stringAt(call, 'id'), ...calledIn(call))),
      stop: stopOf(reason),
      usage: usageOf(json.usage),
      ending: 'complete',
    }
  },
}

function stopOf(reason: unknown): string {
  insist(reasons.has(reason), `the finish_reason is ${JSON.stringify(reason)}`)
  return reason as string
}

interface OpenCall {
  readonly id: string
  readonly name: string
  input: string
}

interface OpenChoice {
  said: string
  thoughts: string
  stop: string
  readonly calls: OpenCall[]
}

class ChunkReader {
  readonly #choices = new Map<unknown, OpenChoice>()
  #id: unknown
  #usage: ReadUsage = {}
  #isDone = false
  #failure: string | undefined

  push(chunk: JsonObject | undefined): void {
    insist(!this.#isDone && this.#failure === undefined, 'something follows the end')
    if (!chunk) this.#isDone = true
    else if (chunk.error) this.#failure = stringAt(objectAt(chunk, 'error'), 'message')
    else this.#read(chunk)
  }

  get reading(): Reading {
    const first = this.#choices.get(0)
    const isWhole = [...this.#choices.values()].every(({ stop }) => stop !== '')
    insist(!this.#isDone || (isWhole && first !== undefined), '[DONE] comes too early')
    return {
      text: first?.said ?? '',
      thoughts: first?.thoughts ?? '',
      calls: (first?.calls ?? []).map(({ id, name, input }) => readCall(id, name, input)),
      stop: first?.stop ?? '',
      usage: this.#usage,
      ending: this.#failure !== undefined ? 'failed' : this.#isDone ? 'complete' : 'open',
      ...(this.#failure !== undefined && { failure: this.#failure }),
    }
  }

  #read(chunk: JsonObject): void {
    insist(chunk.object === 'chat.completion.chunk', 'the object is no chunk')
    insist(this.#id === undefined || this.#id === chunk.id, 'the id changes')
    this.#id = stringAt(chunk, 'id')
    if (chunk.usage) this.#usage = usageOf(chunk.usage)
    for (const choice of listAt(chunk, 'choices')) this.#readChoice(choice)
  }

  #readChoice({ index, delta, finish_reason: reason }: JsonObject): void {
    insist(isObject(delta), 'a choice has no delta')
    let choice = this.#choices.get(index)
    if (!choice) {
      insist(delta.role === 'assistant', 'a choice begins without its role')
      choice = { said: '', thoughts: '', stop: '', calls: [] }
      this.#choices.set(index, choice)
    }
    insist(choice.stop === '', 'a choice goes on after it has finished')
    choice.said += textOf(delta.content) + textOf(delta.refusal)
    choice.thoughts += textOf(delta.reasoning_content)
    for (const piece of delta.tool_calls ? listAt(delta, 'tool_calls') : []) {
      addPiece(choice.calls, piece)
    }
    if (reason !== null && reason !== undefined) choice.stop = stopOf(reason)
  }
}

function addPiece(calls: OpenCall[], piece: JsonObject): void {
  const { index } = piece
  insist(typeof index === 'number', 'a piece of a call has no index')
  insist(index <= calls.length, 'calls have gaps')
  const call = calls[index]
  if (call) call.input += inputIn(piece)
  else {
    const [name, input] = calledIn(piece)
    calls.push({ id: stringAt(piece, 'id'), name, input })
  }
}

function calledIn(call: JsonObject): [name: string, input: string] {
  insist(call.type === 'function' || call.type === 'custom', 'a call has no type')
  return [stringAt(objectAt(call, call.type), 'name'), inputIn(call)]
}

function inputIn(call: JsonObject): string {
  const called = isObject(call.custom) ? call.custom.input : objectAt(call, 'function').arguments
  insist(typeof called === 'string', 'a call has no arguments')
  return called
}

function readCall(id: string, name: string, input: string): Reading['calls'][0] {
  insist(id !== '' && name !== '', 'a call has no id or no name')
  return { id, name, input: parsedInput(input) }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  insist(typeof value === 'string', 'a text is no string')
  return value
}

function usageOf(usage: unknown): ReadUsage {
  if (!isObject(usage)) return {}
  return {
    input: tokensAt(usage, 'prompt_tokens'),
    output: tokensAt(usage, 'completion_tokens'),
    cached: tokensAt(usage.prompt_tokens_details, 'cached_tokens'),
    reasoning: tokensAt(usage.completion_tokens_details, 'reasoning_tokens'),
  }
}
