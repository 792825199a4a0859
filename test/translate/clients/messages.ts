import type { JsonObject } from '../../../src/lib/json/object.ts'
import { readFrames } from './frames.ts'
import {
  type ClientReader,
  insist,
  isObject,
  listAt,
  objectAt,
  type ReadCall,
  type ReadUsage,
  type Reading,
  stringAt,
  tokensAt,
} from './reading.ts'

const reasons = new Set([
  'end_turn',
  'max_tokens',
  'stop_sequence',
  'tool_use',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
])

/** How a client of Messages reads. */
export const messagesReader: ClientReader = {
  stream(wire) {
    const stream = new EventReader()
    for (const { name, json } of readFrames(wire)) {
      insist(json !== undefined && json.type === name, `an event named ${name} is another`)
      stream.push(json)
    }
    return stream.reading
  },

  body(json) {
    insist(json.type === 'message' && json.role === 'assistant', 'the object is no message')
    const blocks = listAt(json, 'content')
    const stop = stopOf(json.stop_reason)
    const sum = (type: string, member: string) =>
      blocks
        .filter((block) => block.type === type)
        .map((block) => stringAt(block, member))
        .join('')
    return {
      text: sum('text', 'text'),
      thoughts: sum('thinking', 'thinking'),
      calls: blocks.filter(({ type }) => type === 'tool_use').map(readCall),
      stop,
      usage: usageOf(json.usage),
      ending: 'complete',
    }
  },
}

class EventReader {
  /** The block that is open. */
  #block: JsonObject | undefined
  #input = ''
  #blocks = 0
  #isStarted = false
  #text = ''
  #thoughts = ''
  readonly #calls: ReadCall[] = []
  #stop = ''
  #usage: ReadUsage = {}
  #ending: Reading['ending'] = 'open'
  #failure: string | undefined

  push(event: JsonObject): void {
    insist(this.#ending === 'open', 'something follows the end')
    if (event.type === 'ping') return
    if (event.type === 'error') return this.#fail(event)
    if (event.type === 'message_start') return this.#start(event)
    insist(this.#isStarted, 'something comes before message_start')
    switch (event.type) {
      case 'content_block_start':
        return this.#begin(event)
      case 'content_block_delta':
        return this.#extend(event)
      case 'content_block_stop':
        return this.#end(event)
      case 'message_delta':
        return this.#close(event)
      case 'message_stop':
        insist(this.#stop !== '', 'message_stop comes before message_delta')
        this.#ending = 'complete'
        return
      default:
        insist(false, `an event has the type ${String(event.type)}`)
    }
  }

  get reading(): Reading {
    return {
      text: this.#text,
      thoughts: this.#thoughts,
      calls: this.#calls,
      stop: this.#stop,
      usage: this.#usage,
      ending: this.#ending,
      ...(this.#failure !== undefined && { failure: this.#failure }),
    }
  }

  #fail(event: JsonObject): void {
    this.#ending = 'failed'
    this.#failure = stringAt(objectAt(event, 'error'), 'message')
  }

  #start(event: JsonObject): void {
    insist(!this.#isStarted, 'message_start comes twice')
    this.#isStarted = true
    const message = objectAt(event, 'message')
    insist(listAt(message, 'content').length === 0, 'a message starts with content')
    this.#usage = usageOf(message.usage)
  }

  #begin(event: JsonObject): void {
    insist(this.#block === undefined, 'blocks interleave')
    insist(event.index === this.#blocks, 'blocks have gaps')
    insist(this.#stop === '', 'a block follows message_delta')
    this.#block = objectAt(event, 'content_block')
    this.#input = ''
    if (this.#block.type === 'tool_use') insist(isObject(this.#block.input), 'no input')
  }

  #extend(event: JsonObject): void {
    const block = this.#open(event)
    const delta = objectAt(event, 'delta')
    insist(
      fitting.get(delta.type) === block.type || delta.type === undefined,
      'a delta is misplaced',
    )
    if (delta.type === 'text_delta') this.#text += stringAt(delta, 'text')
    else if (delta.type === 'thinking_delta') this.#thoughts += stringAt(delta, 'thinking')
    else if (delta.type === 'input_json_delta') this.#input += stringAt(delta, 'partial_json')
  }

  #end(event: JsonObject): void {
    const block = this.#open(event)
    this.#block = undefined
    this.#blocks++
    if (block.type !== 'tool_use') return
    const input: unknown = this.#input === '' ? block.input : parseInput(this.#input)
    this.#calls.push(readCall({ ...block, input }))
  }

  #close(event: JsonObject): void {
    insist(this.#block === undefined, 'message_delta comes while a block is open')
    insist(this.#stop === '', 'message_delta comes twice')
    this.#stop = stopOf(objectAt(event, 'delta').stop_reason)
    this.#usage = { ...this.#usage, ...known(usageOf(event.usage)) }
  }

  #open(event: JsonObject): JsonObject {
    insist(this.#block !== undefined && event.index === this.#blocks, 'no such block is open')
    return this.#block
  }
}

/** The block that a delta goes into. */
const fitting = new Map<unknown, string>([
  ['text_delta', 'text'],
  ['citations_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'thinking'],
  ['input_json_delta', 'tool_use'],
])

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return insist(false, `an input is no JSON: ${text.slice(0, 60)}`)
  }
}

function readCall(block: JsonObject): ReadCall {
  insist(isObject(block.input), 'an input is no object')
  const id = stringAt(block, 'id')
  const name = stringAt(block, 'name')
  insist(/^[\w-]{1,64}$/.test(id) && name !== '', `a call has the id "${id}"`)
  return { id, name, input: block.input }
}

function stopOf(reason: unknown): string {
  insist(reasons.has(reason as string), `the stop_reason is ${String(reason)}`)
  return reason as string
}

/** What `message_delta` does not tell stays as it was at the start. */
function known(usage: ReadUsage): ReadUsage {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => count !== undefined))
}

/** The whole prompt, what came from a cache and what went into it included. */
function usageOf(usage: unknown): ReadUsage {
  insist(isObject(usage) && typeof usage.output_tokens === 'number', 'there is no usage')
  const fresh = tokensAt(usage, 'input_tokens')
  const cached = tokensAt(usage, 'cache_read_input_tokens')
  const written = tokensAt(usage, 'cache_creation_input_tokens')
  return {
    input: fresh === undefined ? undefined : fresh + (cached ?? 0) + (written ?? 0),
    output: usage.output_tokens,
    cached,
    reasoning: tokensAt(usage.output_tokens_details, 'thinking_tokens'),
  }
}
