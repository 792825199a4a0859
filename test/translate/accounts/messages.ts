import type { JsonObject } from '../../../src/lib/json/object.ts'
import { type AccountWriter, type Cut, namedFrame, type Said } from './said.ts'

const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-4-6' }

export const messagesAccount: AccountWriter = {
  frames(said, cut) {
    const { usage } = said
    const message = {
      ...head,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      ...(usage && { usage: { ...inputOf(usage), output_tokens: 1 } }),
    }
    return [
      namedFrame({ type: 'message_start', message }),
      namedFrame({ type: 'ping' }),
      ...blocksOf(said).flatMap((block, index) => blockFrames(block, index, cut)),
      namedFrame({
        type: 'message_delta',
        delta: { stop_reason: reasonOf(said), stop_sequence: null },
        ...usageOf(said),
      }),
      namedFrame({ type: 'message_stop' }),
    ]
  },

  body(said) {
    return {
      ...head,
      content: blocksOf(said),
      stop_reason: reasonOf(said),
      stop_sequence: null,
      ...usageOf(said),
    }
  },
}

interface Block extends JsonObject {
  readonly type: string
}

function blocksOf({ thoughts, text, calls }: Said): Block[] {
  return [
    ...(thoughts === '' ? [] : [{ type: 'thinking', thinking: thoughts, signature: 'c2ln' }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => ({ type: 'tool_use', ...call })),
  ]
}

function blockFrames(block: Block, index: number, cut: Cut): string[] {
  const delta = (more: JsonObject) =>
    namedFrame({ type: 'content_block_delta', index, delta: more })
  const [empty, deltas] = streamed(block, cut)
  return [
    namedFrame({ type: 'content_block_start', index, content_block: empty }),
    ...deltas.map(delta),
    namedFrame({ type: 'content_block_stop', index }),
  ]
}

/** A block as it begins, and what comes after it. */
function streamed(block: Block, cut: Cut): [JsonObject, JsonObject[]] {
  if (block.type === 'text') {
    const texts = cut(block.text as string)
    return [{ type: 'text', text: '' }, texts.map((text) => ({ type: 'text_delta', text }))]
  }
  if (block.type === 'tool_use') {
    const pieces = cut(JSON.stringify(block.input))
    return [
      { ...block, input: {} },
      pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ]
  }
  const pieces = cut(block.thinking as string)
  return [
    { type: 'thinking', thinking: '', signature: '' },
    [
      ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ],
  ]
}

function reasonOf({ calls, ending }: Said): string {
  if (ending === 'length') return 'max_tokens'
  if (ending === 'filtered') return 'refusal'
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function inputOf(usage: NonNullable<Said['usage']>): JsonObject {
  return {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
  }
}

function usageOf({ usage }: Said): JsonObject {
  if (!usage) return {}
  const { output, reasoning } = usage
  return {
    usage: {
      ...inputOf(usage),
      output_tokens: output,
      output_tokens_details: { thinking_tokens: reasoning },
    },
  }
}
