import { ruleFault } from '../../fault.ts'
import { isObject } from '../../json.ts'
import {
  type Members,
  type Shape,
  anything,
  boolean,
  choice,
  integer,
  list,
  nullable,
  number,
  object,
  string,
  stringOr,
  variants,
} from '../../shape.ts'
import { imageDetail, imageUrl, metadata, modelName, toolName } from '../fields.ts'

const format = variants('type', {
  'audio/pcm': { optional: { rate: integer({ min: 24_000, max: 24_000 }) } },
  'audio/pcmu': {},
  'audio/pcma': {},
})

const ofResponse: Members = { create_response: boolean, interrupt_response: boolean }

const turnDetection = variants('type', {
  server_vad: {
    optional: {
      ...ofResponse,
      idle_timeout_ms: integer({ min: 5_000, max: 30_000 }),
      prefix_padding_ms: integer({ min: 0 }),
      silence_duration_ms: integer({ min: 0 }),
      threshold: number({ min: 0, max: 1 }),
    },
  },
  semantic_vad: {
    optional: { ...ofResponse, eagerness: choice('low', 'medium', 'high', 'auto') },
  },
})

const input = object({
  optional: {
    format,
    noise_reduction: object({ required: { type: choice('near_field', 'far_field') } }),
    transcription: object({
      optional: { model: modelName, language: string(), prompt: string() },
    }),
    turn_detection: turnDetection,
  },
})

const voice = stringOr(object({ required: { id: string({ min: 1 }) } }))

const tool = variants('type', {
  function: {
    required: { name: toolName },
    optional: { description: string(), parameters: anything },
  },
  mcp: {
    required: { server_label: string({ min: 1 }) },
    optional: {
      server_url: string(),
      connector_id: string(),
      authorization: string(),
      headers: anything,
      allowed_tools: anything,
      require_approval: anything,
      server_description: string(),
    },
  },
})

/** A number of tokens, or `inf`. */
const tokens: Shape = (value, path) => {
  if (value !== 'inf') integer({ min: 1, max: 4_096 })(value, path)
}

/** The settings that a session and a response have in common. */
const shared: Members = {
  instructions: string(),
  max_output_tokens: tokens,
  output_modalities: list(choice('text', 'audio'), { min: 1, max: 1 }),
  parallel_tool_calls: boolean,
  prompt: object({ required: { id: string({ min: 1 }) }, open: true }),
  reasoning: object({ optional: { effort: string() } }),
  tool_choice: stringOr(object({ required: { type: string() }, open: true })),
  tools: list(tool),
}

/** A session, in `session.update` and for an ephemeral key. */
export const sessionShape = object({
  required: { type: choice('realtime') },
  optional: {
    ...shared,
    model: modelName,
    audio: object({
      optional: {
        input,
        output: object({
          optional: { format, speed: number({ min: 0.25, max: 1.5 }), voice },
        }),
      },
    }),
    include: list(choice('item.input_audio_transcription.logprobs')),
    tracing: anything,
    truncation: anything,
  },
})

const base64: Shape = (value, path) => {
  string()(value, path)
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(String(value)) || String(value).length % 4 !== 0)
    throw ruleFault(path, `Invalid '${path.join('.')}'. Expected base64-encoded audio bytes.`)
}

const ofMessage: Members = {
  id: string({ max: 32 }),
  object: choice('realtime.item'),
  status: choice('completed', 'incomplete', 'in_progress'),
}

const inputContent = variants('type', {
  input_text: { required: { text: string() } },
  input_audio: { required: { audio: base64 }, optional: { transcript: string() } },
  input_image: { required: { image_url: imageUrl }, optional: { detail: imageDetail } },
})

const outputContent = variants('type', {
  output_text: { required: { text: string() } },
  output_audio: { optional: { audio: base64, transcript: string() } },
})

const message: Shape = (value, path) => {
  const role = isObject(value) ? value['role'] : undefined
  const content = role === 'assistant' ? outputContent : inputContent
  object({
    required: {
      type: choice('message'),
      role: choice('user', 'system', 'assistant'),
      content: list(content, { min: 1 }),
    },
    optional: ofMessage,
  })(value, path)
}

const otherItems = variants('type', {
  message: { open: true },
  function_call: {
    required: { name: string(), arguments: string() },
    optional: { ...ofMessage, call_id: string() },
  },
  function_call_output: {
    required: { call_id: string(), output: string() },
    optional: ofMessage,
  },
})

/** An item of a conversation. */
const item: Shape = (value, path) => {
  otherItems(value, path)
  if (isObject(value) && value['type'] === 'message') message(value, path)
}

/** The largest piece of audio, in characters of base64. */
const longestAudio = 15 * 1024 * 1024

const audio: Shape = (value, path) => {
  base64(value, path)
  if (String(value).length > longestAudio)
    throw ruleFault(path, `Invalid '${path.join('.')}': audio is larger than 15 MiB.`)
}

const itemId = string({ min: 1 })

/** The events of clients, by their types. */
export const clientEvents: Readonly<Record<string, Members>> = {
  'session.update': { session: sessionShape },
  'input_audio_buffer.append': { audio },
  'input_audio_buffer.commit': {},
  'input_audio_buffer.clear': {},
  'conversation.item.create': { item },
  'conversation.item.delete': { item_id: itemId },
  'conversation.item.retrieve': { item_id: itemId },
  'response.create': {},
  'response.cancel': {},
}

/** The members that the events of clients may have. */
export const optionalMembers: Readonly<Record<string, Members>> = {
  'conversation.item.create': { previous_item_id: nullable(string()) },
  'response.create': {
    response: object({
      optional: {
        ...shared,
        audio: object({ optional: { output: object({ optional: { format, voice } }) } }),
        conversation: string(),
        input: list(item),
        metadata,
      },
    }),
  },
  'response.cancel': { response_id: string() },
}
